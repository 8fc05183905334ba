import type { Random } from './random.js';

const KOREAN_SHARE = 0.06;

const ENGLISH = (
  'the a of to in is for and with not this that from when after before each only same other build test file line path value key table ' +
  'index query cache token session request response server client handler router module package version release deploy branch commit ' +
  'merge review change update remove insert select schema column row record batch queue worker thread process memory buffer stream ' +
  'reader writer parser encoder decoder header payload timeout retry error warning failure success result status order cart invoice ' +
  'payment customer account profile address region zone bucket object policy role user group access permission network socket port ' +
  'host proxy gateway certificate metric counter histogram trace span alert dashboard config option flag default override template ' +
  'pattern match filter sort limit offset page cursor lock mutex signal event message topic consumer producer partition offset shard ' +
  'replica backup restore snapshot archive compress checksum hash digest salt nonce clock timer schedule interval window range bound'
).split(' ');

const KOREAN = (
  '오류 파일 경로 빌드 테스트 서버 요청 응답 설정 값 확인 필요 없음 수정 추가 삭제 변경 실행 결과 실패 성공 데이터 사용자 권한 목록 함수 변수 배포 ' +
  '버전 로그 시간 메모리 연결 종료 시작 다시 먼저 주문 결제 고객 장바구니 검토 저장소 문서 번역 이름 주소 암호화 백업 복원'
).split(' ');

/** One word of prose: English, and now and then Korean. */
const word = (random: Random): string => random.pick(random.chance(KOREAN_SHARE) ? KOREAN : ENGLISH);

const name = (random: Random): string => {
  const second = random.pick(ENGLISH);
  return `${random.pick(ENGLISH)}${second.charAt(0).toUpperCase()}${second.slice(1)}`;
};

export function words(random: Random, count: number): string {
  const list: string[] = [];
  for (let i = 0; i < count; i += 1) list.push(word(random));
  return list.join(' ');
}

/** Repeats `piece` until about `length` characters are there. */
function fill(length: number, separator: string, piece: () => string): string {
  const list: string[] = [];
  let total = 0;
  while (total < length) {
    const next = piece();
    list.push(next);
    total += next.length + separator.length;
  }
  return list.join(separator);
}

const sentence = (random: Random): string => {
  const body = words(random, random.int(5, 18));
  return `${body.charAt(0).toUpperCase()}${body.slice(1)}${random.chance(0.1) ? '?' : '.'}`;
};

export const prose = (random: Random, length: number): string => fill(length, ' ', () => sentence(random));

/** Answers as models write them: paragraphs, lists, inline code, now and then a fenced block. */
export const markdown = (random: Random, length: number): string =>
  fill(length, '\n\n', () => {
    const kind = random.float();
    if (kind < 0.15) return `## ${words(random, 4)}`;
    if (kind < 0.4) return fill(200, '\n', () => `- \`${name(random)}\` ${words(random, random.int(3, 10))}`);
    if (kind < 0.5) return `\`\`\`ts\n${code(random, 300)}\n\`\`\``;
    return prose(random, random.int(60, 400));
  });

const codeLine = (random: Random): string => {
  const indent = '  '.repeat(random.int(0, 3));
  switch (random.int(0, 9)) {
    case 0:
      return `${indent}// ${words(random, random.int(3, 10))}`;
    case 1:
      return `export async function ${name(random)}(${name(random)}: string, ${name(random)} = ${random.int(0, 999)}): Promise<void> {`;
    case 2:
      return `${indent}if (${name(random)}.length > ${random.int(0, 99)} && !${name(random)}) {`;
    case 3:
      return `${indent}throw new Error(\`${words(random, 4)}: \${${name(random)}}\`);`;
    case 4:
      return `${indent}}`;
    case 5:
      return '';
    case 6:
      return `${indent}return { ${name(random)}, ${name(random)}: "${word(random)}", ${name(random)}: ${random.int(0, 9999)} };`;
    default:
      return `${indent}const ${name(random)} = await ${name(random)}.${name(random)}(${name(random)}, '${word(random)}');`;
  }
};

export const code = (random: Random, length: number): string => fill(length, '\n', () => codeLine(random));

/** A program's log. Rarely a line holds the documented example key of AWS, as real logs hold real ones. */
export function log(random: Random, length: number): string {
  let clock = Date.UTC(2025, 8, 1) + random.int(0, 8_000_000_000);
  return fill(length, '\n', () => {
    clock += random.int(1, 5000);
    const level = random.pick(['INFO ', 'INFO ', 'INFO ', 'DEBUG', 'WARN ', 'ERROR']);
    const where = `${random.pick(ENGLISH)}.${random.pick(ENGLISH)}`;
    const detail = random.chance(0.0005) ? 'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE' : `request_id=${random.hex(16)}`;
    const message = words(random, random.int(4, 12));
    return `${new Date(clock).toISOString()} ${level} [${where}] ${message} ${detail} took=${random.int(1, 900)}ms`;
  });
}

const jsonValue = (random: Random, depth: number): unknown => {
  const kind = random.float();
  if (depth > 0 && kind < 0.2)
    return Object.fromEntries(Array.from({ length: random.int(1, 5) }, () => [name(random), jsonValue(random, depth - 1)]));
  if (depth > 0 && kind < 0.35) return Array.from({ length: random.int(0, 5) }, () => jsonValue(random, depth - 1));
  if (kind < 0.5) return random.int(0, 1_000_000);
  if (kind < 0.6) return random.chance(0.5);
  return words(random, random.int(1, 8));
};

/** A valid JSON document (an array of records) of about `length` characters. */
export const jsonDocument = (random: Random, length: number): string =>
  `[\n${fill(length, ',\n', () =>
    JSON.stringify({ id: random.uuid(), name: words(random, 2), count: random.int(0, 9999), data: jsonValue(random, 2) }),
  )}\n]`;

/** Text of a kind that files and tool outputs have. */
export function anyText(random: Random, length: number): string {
  const kind = random.float();
  if (kind < 0.4) return code(random, length);
  if (kind < 0.65) return log(random, length);
  if (kind < 0.85) return jsonDocument(random, length);
  return markdown(random, length);
}
