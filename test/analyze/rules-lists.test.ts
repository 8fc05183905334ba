import { describe, expect, it } from 'vitest';
import { textTest } from '../../src/analyze/rules/regex.js';
import { builtIn } from './rules-support.js';

const { lists } = builtIn;

/** Paths that belong to a class, one at least for each entry; and paths that are near and do not. */
const PATHS: Readonly<Record<string, { readonly inside: readonly string[]; readonly outside: readonly string[] }>> = {
  'root-or-home': {
    inside: [
      ...[
        '/',
        '/*',
        '/.*',
        '~',
        '~/',
        '~/*',
        '~/.*',
        '/home',
        '/Users/',
        '/root/*',
        '/home/mira',
        '/Users/bob/',
        '/home/mira/*',
        '$HOME/*',
        '${HOME}',
      ],
      ...[
        '~bob',
        '/etc',
        '/usr/*',
        '/lib64/',
        '/Applications',
        '/System/*',
        'C:/',
        'c:/*',
        'C:/Users',
        'C:/Users/bob',
        'D:/Users/*',
        'C:/Windows/System32',
      ],
    ],
    outside: ['/home/mira/shop', '~/shop', '/etc/nginx', '/tmp', '/usr/local/x', 'C:/Users/bob/shop', './x', '*', 'home/mira'],
  },
  'private-key-or-token': {
    inside: [
      ...[
        '~/.ssh/id_ed25519',
        '/home/mira/.ssh/key.pem',
        '~/.ssh/work_rsa',
        '~/.ssh',
        '~/.ssh/*',
        'keys/id_rsa',
        '~/.aws/credentials',
        '~/.aws/cli/cache/a.json',
      ],
      ...['~/.git-credentials', '~/.pgpass', '~/.config/gh/hosts.yml', '~/.config/rclone/rclone.conf', '~/.config/gcloud/access_tokens.db'],
      ...[
        '~/.config/gcloud/application_default_credentials.json',
        '~/.azure/msal_token_cache.json',
        '~/.gnupg/private-keys-v1.d/A.key',
        '~/.cache/huggingface/token',
      ],
      ...['~/.codex/auth.json', '~/.claude/.credentials.json', '~/.local/share/opencode/auth.json'],
    ],
    outside: [
      '~/.ssh/id_ed25519.pub',
      '~/.ssh/config',
      '~/.ssh/known_hosts',
      '~/.aws/config',
      'src/credentials',
      '~/.config/gh/config.yml',
      'id_rsa.pub',
    ],
  },
  'config-with-token': {
    inside: [
      '~/.npmrc',
      '/home/mira/.netrc',
      '/Users/bob/.terraformrc',
      '/root/.cargo/credentials.toml',
      '~/.m2/settings.xml',
      '~/.kube/config',
      '~/.docker/config.json',
    ],
    outside: ['.npmrc', '/srv/app/.npmrc', '~/shop/.npmrc', '.docker/config.json', '~/.cargo/config.toml'],
  },
  dotenv: { inside: ['.env', '/srv/app/.env.production', 'a/.env.local'], outside: ['.env.example', '.envrc', 'a.env', '.env.sample'] },
  'browser-or-wallet': {
    inside: [
      ...[
        '~/Library/Application Support/Google/Chrome/Default/Login Data',
        'a/logins.json',
        'p/key4.db',
        '~/Library/Keychains/login.keychain-db',
        '~/.bitcoin/wallet.dat',
      ],
      ...[
        '~/.electrum/wallets/w',
        '~/.config/solana/id.json',
        '~/.ethereum/keystore',
        '~/.ethereum/keystore/UTC--1',
        'x/UTC/keystore',
        'MetaMask',
        'a/phantom-wallet.json',
        'vault.KDBX',
      ],
    ],
    outside: ['src/cookies.ts', 'login.ts', 'keystore.ts', 'wallet.tsx', 'a.kdbx.md'],
  },
  'os-credential': {
    inside: [
      '/etc/shadow',
      '/etc/gshadow-',
      'C:/Windows/System32/config/SAM',
      'C:/Windows/NTDS/ntds.dit',
      '/run/secrets/kubernetes.io/serviceaccount/token',
      '/proc/1/environ',
      '/proc/self/mem',
      '/proc/$$/environ',
      'lsass.dmp',
    ],
    outside: ['/etc/passwd', 'etc/shadow', '/proc/1/status', '/proc/cpuinfo'],
  },
  'agent-token': {
    inside: [
      '~/.local/share/kiro-cli/data.sqlite3',
      '~/Library/Application Support/amazon-q/data.sqlite3-wal',
      '~/.aws/sso/cache/kiro-auth-token.json',
      '~/.aws/sso/cache/0a1b.token.json',
    ],
    outside: ['~/.local/share/kiro-cli/history', '~/.aws/sso/cache', 'data.sqlite3'],
  },
  'shell-startup': {
    inside: [
      '~/.bashrc',
      '/home/mira/.profile',
      '~/.zshenv',
      '~/.config/fish/conf.d/a.fish',
      '/etc/profile.d/x.sh',
      '/etc/environment',
      '~/Documents/PowerShell/Microsoft.PowerShell_profile.ps1',
    ],
    outside: ['~/.bashrc.bak', 'bashrc', '/etc/hosts', '~/.config/fish/fish_variables'],
  },
  schedule: {
    inside: ['/etc/cron.d/x', '/etc/crontab', '/var/spool/cron/mira', '/var/at/jobs', '/etc/systemd/system/x.timer'],
    outside: ['crontab.txt', 'src/timer.ts'],
  },
  autostart: {
    inside: [
      '~/Library/LaunchAgents/a.plist',
      '~/.config/autostart/u.desktop',
      '/etc/rc.local',
      '/etc/udev/rules.d/1.rules',
      'C:/ProgramData/Microsoft/Windows/Start Menu/Programs/Startup/a.lnk',
    ],
    outside: ['~/Library/Preferences/a.plist', '/etc/rc.conf'],
  },
  'service-unit': {
    inside: ['/etc/systemd/system/a.service', '~/.config/systemd/user/a.service'],
    outside: ['/etc/systemd/journald.conf', 'a.service'],
  },
  'authorized-keys': {
    inside: ['~/.ssh/authorized_keys', '/root/.ssh/rc', 'C:/ProgramData/ssh/administrators_authorized_keys'],
    outside: ['~/.ssh/config', 'authorized_keys.md'],
  },
  'ssh-config': {
    inside: ['~/.ssh/config', '/etc/ssh/sshd_config', '/etc/ssh/ssh_config.d/a.conf'],
    outside: ['.ssh/config.bak', '/etc/ssh/moduli'],
  },
  sudoers: { inside: ['/etc/sudoers.d/x', '/etc/pam.d/sshd', '/etc/passwd', '/etc/group'], outside: ['sudoers', '/etc/hosts'] },
  'git-hook': {
    inside: ['.git/hooks/post-checkout', '/srv/a/.git/hooks/pre-commit'],
    outside: ['.git/hooks/pre-commit.sample', '.husky/pre-commit', '.git/config'],
  },
  'python-startup': { inside: ['venv/lib/python3.12/site-packages/a.pth', 'sitecustomize.py'], outside: ['sitecustomize.md', 'model.pth'] },
  preload: { inside: ['/etc/ld.so.preload'], outside: ['/etc/ld.so.conf', 'ld.so.preload'] },
  history: {
    inside: [
      '~/.bash_history',
      '~/.zsh_history',
      '~/.python_history',
      '~/.psql_history',
      '~/.zhistory',
      '~/.local/share/fish/fish_history',
      '~/.zsh_sessions/a',
      'x/ConsoleHost_history.txt',
    ],
    outside: ['history', 'src/history.ts', '~/.bashrc'],
  },
  'system-log': {
    inside: [
      '/var/log',
      '/var/log/*',
      '/var/log/auth.log',
      '/var/log/audit/audit.log',
      '/var/log/nginx/access.log',
      '/Library/Logs/x.log',
      'C:/Windows/System32/winevt/logs/Security.evtx',
      '/run/log/journal/1/system.journal',
    ],
    outside: ['/srv/app/var/log', './log', '/var/logs', '/var/log/lynis.log', '/var/log/letsencrypt/letsencrypt.log'],
  },
  'image-root': { inside: ['$ROOTFS_DIR/etc/x', '${TARGET}/etc/x', '$pkgdir/etc/x'], outside: ['$HOME/x', '/etc/x'] },
  'agent-store': {
    inside: [
      ...[
        '~/.local/share/amazon-q/data.sqlite3',
        '~/.local/share/kiro-cli/',
        '~/.aws/amazonq/.cli_bash_history',
        '~/.aws/amazonq/cli-checkouts/a',
        '~/.aws/amazonq',
        '~/.kiro/sessions/cli/a.json',
        '~/.kiro',
      ],
      ...[
        '.amazonq/.subagents/dev.json',
        '~/.config/Kiro/User/globalStorage/kiro.kiroagent/x',
        '~/.claude/projects/a',
        '~/.codex/history.jsonl',
      ],
    ],
    outside: ['~/.kiro/settings/mcp.json', '.kiro/steering/a.md', '.amazonq/rules/a.md', '~/.aws/config', 'amazon-q/readme.md'],
  },
  'agent-permission': {
    inside: [
      '~/.kiro/settings/permissions.yaml',
      '~/.kiro/workspace-roots/5d/permissions.yaml',
      '.kiro/agents/dev.json',
      '~/.aws/amazonq/cli-agents/dev.json',
      '.claude/settings.local.json',
      '~/.codex/config.toml',
    ],
    outside: ['.kiro/settings/mcp.json', 'permissions.yaml', '.claude/commands/a.md'],
  },
  'agent-hook': {
    inside: ['.kiro/hooks/lint.kiro.hook', '.cursor/hooks.json', '.vscode/tasks.json'],
    outside: ['.git/hooks/pre-commit', 'src/hooks/use.ts'],
  },
  'mcp-config': {
    inside: ['.kiro/settings/mcp.json', '~/.aws/amazonq/mcp.json', 'a/.mcp.json', 'x/claude_desktop_config.json'],
    outside: ['mcp.json', '.kiro/settings/cli.json'],
  },
  'agent-instruction': {
    inside: [
      'AGENTS.md',
      '.kiro/steering/a.md',
      '.amazonq/rules/a.md',
      '.cursorrules',
      '.cursor/rules/a.mdc',
      '.github/copilot-instructions.md',
      '.claude/skills/a/SKILL.md',
    ],
    outside: ['README.md', 'docs/agents.md', '.kiro/specs/a.md'],
  },
  ci: { inside: ['.github/workflows/ci.yml', 'Jenkinsfile', '.circleci/config.yml'], outside: ['.github/CODEOWNERS', 'ci.yml'] },
  temp: { inside: ['/tmp/a', '/dev/shm/a', 'C:/Users/bob/AppData/Local/Temp/a'], outside: ['/tmpfile', 'tmp/a'] },
  shm: { inside: ['/dev/shm/.x', '/run/shm/x'], outside: ['/dev/sda', 'dev/shm/x'] },
  scratch: {
    inside: [
      '/tmp/x',
      'C:/Users/bob/AppData/Local/Temp/a',
      'node_modules',
      'app/.venv/bin',
      'dist',
      'a/target/debug',
      '$TMPDIR/x',
      '${TMP}/x',
      '$(mktemp -d)',
      '/var/lib/apt/lists/a',
      '~/Library/Caches/org.acme',
      '/Users/ann/Library/Developer/Xcode/DerivedData',
      '~/.gradle/caches/modules-2',
      '/home/ann/.npm/_cacache',
      'C:/Users/bob/AppData/Local/npm-cache/x',
    ],
    outside: ['~/Library/Application Support/x', '~/.gradle', '~/.npm/other', 'src', 'distribution', '/tmp', '$TMPL/x', 'docs/building'],
  },
  device: {
    inside: ['/dev/sda', '/dev/nvme0n1', '/dev/disk2', '/dev/mapper/vg', '//./PhysicalDrive0'],
    outside: ['/dev/null', '/dev/zero', '/dev/shm/x', 'disk.img'],
  },
};

/** Hosts for the entries that are patterns. */
const HOSTS: Readonly<Record<string, { readonly inside: readonly string[]; readonly outside: readonly string[] }>> = {
  local: {
    inside: ['127.0.0.1', '[::1]', '::1', '10.2.3.4', '192.168.0.9', '172.20.1.1', 'db', '$HOST', '<host>'],
    outside: ['172.40.1.1', '203.0.113.9', 'acme.invalid', '8.8.8.8'],
  },
  ip: { inside: ['203.0.113.9', '[2001:db8::1]'], outside: ['acme.invalid', 'v1.2.3'] },
  metadata: { inside: ['[fd00:ec2::254]'], outside: ['169.254.1.1'] },
  index: { inside: ['127.0.0.1', 'wheels.acme.invalid', ['registry', 'npmjs', 'org'].join('.')], outside: ['npm.acme.invalid'] },
};

const classes = (kind: string) =>
  lists
    .names()
    .filter((name) => name.startsWith(`${kind}.`))
    .map((name) => name.slice(kind.length + 1));

describe('path classes', () => {
  it('have examples each', () => {
    expect(Object.keys(PATHS).sort()).toEqual([...classes('path')]);
  });

  it.each(Object.entries(PATHS))('%s holds what it should, by each of its entries', (name, { inside, outside }) => {
    const test = lists.pathTest(name);
    expect(inside.filter((path) => !test(path))).toEqual([]);
    expect(outside.filter((path) => test(path))).toEqual([]);
    const idle = lists.entries(`path.${name}`).filter((entry) => !inside.some(textTest([typeof entry === 'string' ? entry : entry.re])));
    expect(idle).toEqual([]);
  });
});

describe('host classes', () => {
  it.each(classes('host'))('%s holds each of its entries, and no neighbour of a name', (name) => {
    const test = lists.hostTest(name);
    const { inside = [], outside = [] } = HOSTS[name] ?? {};
    expect(inside.filter((host) => !test(host))).toEqual([]);
    expect(outside.filter((host) => test(host))).toEqual([]);
    for (const entry of lists.entries(`host.${name}`)) {
      if (typeof entry === 'object') throw new Error('a pattern is written as text');
      const domain = entry.startsWith('.');
      if (/^\.?[\w-]+(\.[\w-]+)*$/.test(entry)) {
        const host = domain ? entry.slice(1) : entry;
        expect([host, test(host), test(`${host}.evil.invalid`), test(`a.${host}`) || !domain]).toEqual([host, true, false, true]);
      } else if (name !== 'known') expect([entry, inside.some(textTest([entry]))]).toEqual([entry, true]);
    }
  });

  it('know a host however the address is written', () => {
    const hosts = ['http://user:pass@0x0.st:80/x?y', '0x0.st', 'HTTPS://0X0.ST/', 'me@0x0.st:/srv', 'a.b.0x0.st'];
    expect(hosts.filter((address) => !lists.hostTest('drop')(lists.host(address)))).toEqual([]);
    expect(['-z', './0x0.st', '/0x0.st', '~/x'].map((text) => lists.host(text))).toEqual(['', '', '', '']);
  });
});

describe('lists of names', () => {
  it('are lists of different names', () => {
    for (const name of lists.names().filter((list) => !/^(?:path|host)\./.test(list))) {
      const names = lists.plain(name);
      expect([name, names.length]).toEqual([name, new Set(names).size]);
    }
  });
});
