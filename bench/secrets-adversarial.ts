/** Inputs made to cost a scanner more than their length, a MiB each. */
const SIZE = 1048576;
const repeat = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);

const PIECES: Readonly<Record<string, string>> = {
  letters: 'a',
  token: 'token',
  'key=': 'key=key=',
  'password=': 'password=',
  'password=x9!': 'password=aB3!',
  'token=" unclosed': 'token="aB3 ',
  'token=\\"': 'token=\\"aB3!',
  'eyJ parts': 'eyJaaaaaaaaaaaa.',
  'eyJ real header': 'eyJhbGciOiJIUzI1NiJ9.',
  'eyJ run': 'eyJ',
  'BEGIN lines': `-----BEGIN ${'PRIVATE'} KEY-----`,
  'BEGIN and body': `-----BEGIN ${'PRIVATE'} KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ`,
  'http://a:b': 'http://a:b',
  'http://a:@': 'http://a:@@@',
  'password.': 'password.',
  '"secret"': '"secret"',
  'token and blanks': `token${' '.repeat(2000)}`,
  'token and tabs': 'token\t\t\t\t=\t\t\t\t',
  backslashes: '\\',
  'quoted backslashes': 'password="\\\\\\\\',
  'sk-': 'sk-',
  'ghp_ runs': 'ghp_aaaa',
  'key ids': `AK${'IA'}QX7BCDEFGHIJKLMN/`,
  'cookie: ': 'cookie: a=b',
  'mysql words': 'mysql a b c d e f ',
  'machine login': 'machine a login b password ',
  'open brackets': '[',
  'open objects': '{"a":',
  'bracket lines': '[\n',
  'object lines': '{"a":"b"\n',
  'escaped JSON': '{"token":"a\\"b"}\n',
  'flags ': ' --password ',
  'xml tags': '<password>',
  'basic ': 'basic YWJjZGVmZw',
  'kind: secret': 'kind: secret\ndata:\n  password: YWJjZGVmZw==\n',
  'ANSI codes': '\u001b[31mtoken=\u001b[0m',
  'lone surrogates': 'token=\ud800\udc00\ud800',
  'LS0t runs': `LS0tLS1CRUdJTi${'B'}FSSVZBVEUgS0VZLS0tLS0`,
  'base64 password': `password="${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo5'.repeat(80)}" `,
  capitals: 'A',
  'digits:AA': '12345678901:AA',
  'hex-us': '0123456789abcdef0123456789abcdef-us1',
  '!AQ': 'a1B2c3D4e5F6g7H8!AQ',
  'WEATHER_KEY=': 'WEATHER_KEY=',
  'token,': 'token,',
  'token lines,': 'token,aB3!efghijK9\n',
  'token ?': 'token?token|token.token+',
  'token string =': 'token string string ',
  'xml and line ends': '<token>\n\n\n\n\n\n\n\n',
  'token[]': 'token[]',
  'token "': 'token "aB3!efghijK9"',
  'random letters': 'password="qWeRtYuIoPaSdFgH"',
  percents: 'password=%41%42',
  'x-amz-signature=': 'x-amz-signature=abcdefghijklmnopqrstu&',
};

export const ADVERSARIAL: readonly { readonly name: string; readonly text: string }[] = [
  ...Object.entries(PIECES).map(([name, piece]) => ({ name, text: repeat(piece) })),
  { name: 'one base64 run', text: repeat('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo5') },
  { name: 'base64 behind a key', text: `password=${repeat('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo5')}` },
  { name: 'nested JSON strings', text: nested() },
];

function nested(): string {
  let text = 'token=aB3!efgh9';
  while (text.length < SIZE / 4) text = JSON.stringify({ a: text, b: text });
  return text;
}
