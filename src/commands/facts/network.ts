import type { Word } from '../raw.js';
import { after, fileOfAddress, looksLikeAddress, SCHEME } from './addresses.js';
import { type Facts, has, type Invocation, tail, valuesOf } from './facts.js';

type Finder = (call: Invocation, facts: Facts) => void;

function curl(call: Invocation, facts: Facts): void {
  const { options } = call;
  const addresses = [...call.options.operands, ...valuesOf(options, '--url')].map((word) => word.value).filter(looksLikeAddress);
  const data = valuesOf(options, '-d', '--data', '--data-ascii', '--data-binary', '--json');
  const encoded = valuesOf(options, '--data-urlencode');
  const forms = valuesOf(options, '-F', '--form');
  const uploads = valuesOf(options, '-T', '--upload-file');
  const files = [
    ...data.filter((word) => word.value.startsWith('@')).map((word) => tail(word, 1)),
    ...encoded.flatMap((word) => after(word, /^[^=@]*@/)),
    ...forms.flatMap((word) => after(word, /^[^=]*=[@<]/)).map((word) => ({ ...word, value: word.value.replace(/[;,].*$/s, '') })),
    ...uploads,
  ];
  const plain = valuesOf(options, '--data-raw', '--form-string');
  const query = has(options, '-G', '--get');
  facts.bodyFile = files.length > 0;
  facts.body = facts.bodyFile || (!query && data.length + encoded.length + forms.length + plain.length > 0);
  for (const file of files) bodyFile(file, facts);
  for (const address of addresses) {
    if (uploads.length === 0) facts.fetch(address);
    if (facts.body) facts.send(address);
  }
  const outputs = valuesOf(options, '-o', '--output');
  facts.write(outputs);
  if (has(options, '-O', '--remote-name')) facts.write(addresses.flatMap(fileOfAddress));
  facts.write(valuesOf(options, '-D', '--dump-header', '-c', '--cookie-jar'));
  facts.read(valuesOf(options, '-K', '--config').filter((word) => word.value !== '-'));
}

function wget(call: Invocation, facts: Facts): void {
  const { options } = call;
  const files = valuesOf(options, '--post-file', '--body-file');
  facts.bodyFile = files.length > 0;
  facts.body = facts.bodyFile || valuesOf(options, '--post-data', '--body-data').length > 0;
  for (const file of files) bodyFile(file, facts);
  for (const word of options.operands) {
    if (!looksLikeAddress(word.value)) continue;
    facts.fetch(word.value);
    if (facts.body) facts.send(word.value);
  }
  facts.read(valuesOf(options, '-i', '--input-file'));
  const outputs = valuesOf(options, '-O', '--output-document');
  facts.write(outputs);
  if (outputs.length > 0) return;
  const folder = valuesOf(options, '-P', '--directory-prefix', '-d', '--dir')[0];
  for (const file of options.operands.flatMap((word) => fileOfAddress(word.value))) {
    facts.write([folder === undefined ? file : { ...folder, value: `${folder.value.replace(/\/$/, '')}/${file.value}` }]);
  }
}

/** `http POST host/path a=b f@file < body`. */
function httpie(call: Invocation, facts: Facts): void {
  const operands = call.options.operands.map((word) => word.value);
  const method = /^[A-Z]+$/.test(operands[0] ?? '') ? operands.shift() : undefined;
  const address = operands.shift();
  if (address === undefined) return;
  facts.fetch(address);
  const files = call.options.operands.flatMap((word) => after(word, /^[\w.-]+@/));
  const fields = operands.some((text) => /^[\w.-]+(?::=|=(?!=))/.test(text));
  const input = call.hasInput || call.upstream.length > 0;
  facts.bodyFile = files.length > 0 || input;
  facts.body = facts.bodyFile || fields;
  if (facts.body && method !== 'GET') facts.send(address);
  facts.read(files);
  facts.write(valuesOf(call.options, '-o', '--output'));
}

function netcat(call: Invocation, facts: Facts): void {
  const { options } = call;
  const [host] = options.operands;
  if (host === undefined || has(options, '-l', '--listen', '-U')) return;
  facts.url(host.value);
  if (has(options, '-z')) return;
  facts.fetch(host.value);
  const input = call.upstream.length > 0 || call.hasInput;
  if (!input && !has(options, '-e', '-c', '--exec', '--sh-exec')) return;
  facts.send(host.value);
  facts.body = input;
  facts.bodyFile = input;
}

function telnet(call: Invocation, facts: Facts): void {
  const [host] = call.options.operands;
  if (host === undefined) return;
  facts.fetch(host.value);
  if (call.upstream.length > 0 || call.hasInput) facts.send(host.value);
}

function socat(call: Invocation, facts: Facts): void {
  for (const word of call.options.operands) {
    const match = /^(?:tcp|tcp4|tcp6|udp|openssl|ssl)(?:-connect)?:([^:,]+)/i.exec(word.value);
    if (match?.[1] !== undefined) {
      facts.fetch(match[1]);
      facts.send(match[1]);
    }
    const file = /^(?:file|open|gopen):([^,]+)/i.exec(word.value)?.[1];
    if (file !== undefined) facts.read([{ ...word, value: file }]);
  }
}

function openssl(call: Invocation, facts: Facts): void {
  facts.read(valuesOf(call.options, '-in', '-inkey', '-key'));
  facts.write(valuesOf(call.options, '-out', '-keyout'));
  for (const word of valuesOf(call.options, '-connect')) {
    facts.fetch(word.value);
    if (call.upstream.length > 0 || call.hasInput) facts.send(word.value);
  }
}

function ftp(call: Invocation, facts: Facts): void {
  const address = call.options.operands.find((word) => looksLikeAddress(word.value));
  if (address === undefined) return;
  facts.fetch(address.value);
  const script = valuesOf(call.options, '-e', '-c').some((word) => /\b(?:m?put|mirror\s+(?:-\w+\s+)*-R)\b/.test(word.value));
  if (script || call.upstream.length > 0 || call.hasInput) facts.send(address.value);
}

function ssh(call: Invocation, facts: Facts): void {
  const [host] = call.options.operands;
  if (host === undefined) return;
  facts.url(host.value);
  if (call.upstream.length === 0 && !call.hasFile) return;
  facts.send(host.value);
  facts.body = true;
  facts.bodyFile = true;
}

function mail(call: Invocation, facts: Facts): void {
  const input = call.upstream.length > 0 || call.hasInput;
  const files = valuesOf(call.options, '-a', '-A');
  for (const word of call.options.operands)
    if (/^[^\s@]+@[^\s@]+$/.test(word.value)) (input ? facts.send : facts.url).call(facts, word.value);
  facts.read(files);
  facts.body = input;
}

function lookup(call: Invocation, facts: Facts): void {
  for (const word of call.options.operands) if (!word.value.startsWith('@') && !word.value.startsWith('+')) facts.url(word.value);
}

/** `Invoke-WebRequest`, `Invoke-RestMethod`, `Start-BitsTransfer`. */
function webCmdlet(call: Invocation, facts: Facts): void {
  const { options } = call;
  const [uri] = [...valuesOf(options, '-uri', '-source'), ...options.operands];
  const files = valuesOf(options, '-infile');
  const method = valuesOf(options, '-method', '-me', '-met')[0]?.value.toLowerCase() ?? '';
  facts.bodyFile = files.length > 0 || valuesOf(options, '-form').length > 0;
  facts.body =
    facts.bodyFile ||
    valuesOf(options, '-body', '-form').length > 0 ||
    (call.upstream.length > 0 && (method === 'post' || method === 'put'));
  facts.read(files);
  facts.write(valuesOf(options, '-outfile', '-destination'));
  if (uri === undefined) return;
  facts.fetch(uri.value);
  if (facts.body) facts.send(uri.value);
}

/** `(New-Object Net.WebClient).DownloadString('...')`. */
function webClient(call: Invocation, facts: Facts): void {
  const text = call.args.map((word) => word.value).join(' ');
  for (const match of text.matchAll(/\.(Download|Upload)\w{0,20}\(\s*['"]?([a-z]+:\/\/[^'")\s,]+)/gi)) {
    const address = match[2] ?? '';
    if ((match[1] ?? '').toLowerCase() === 'upload') facts.send(address);
    else facts.fetch(address);
  }
}

function certutil(call: Invocation, facts: Facts): void {
  for (const word of call.args) if (SCHEME.test(word.value)) facts.fetch(word.value);
}

export const NETWORK: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ['curl', curl],
  ['wget', wget],
  ...['http', 'https', 'xh', 'xhs', 'httpie'].map((name): [string, Finder] => [name, httpie]),
  ['aria2c', wget],
  ['fetch', wget],
  ...['nc', 'ncat', 'netcat', 'nc.traditional', 'nc.openbsd'].map((name): [string, Finder] => [name, netcat]),
  ['telnet', telnet],
  ['socat', socat],
  ['openssl', openssl],
  ...['ftp', 'lftp', 'tftp', 'ncftpput'].map((name): [string, Finder] => [name, ftp]),
  ...['ssh', 'autossh', 'mosh'].map((name): [string, Finder] => [name, ssh]),
  ...['mail', 'mailx', 'mutt', 's-nail', 'sendmail', 'msmtp'].map((name): [string, Finder] => [name, mail]),
  ...['dig', 'drill', 'nslookup', 'host', 'ping', 'resolve-dnsname'].map((name): [string, Finder] => [name, lookup]),
  ...['invoke-webrequest', 'invoke-restmethod', 'start-bitstransfer'].map((name): [string, Finder] => [name, webCmdlet]),
  ['new-object', webClient],
  ['certutil', certutil],
]);

/** `-` is standard input; it stays in the list, as it tells that something is sent. */
function bodyFile(file: Word, facts: Facts): void {
  if (file.value === '-' || file.value === '.') facts.reads.push('-');
  else facts.read([file]);
}
