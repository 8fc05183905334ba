import { describe, expect, it } from 'vitest';
import { hostOf, normalisePath } from '../../src/commands/index.js';

describe('normalisePath', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    ['./a', 'a'],
    ['././a/./b', 'a/b'],
    ['.', '.'],
    ['./', '.'],
    ['..', '..'],
    ['./~', './~'],
    ['././~/x', './~/x'],
    ['./$HOME', './$HOME'],
    ['../a', '../a'],
    ['a/../b', 'a/../b'],
    ['/', '/'],
    ['/.', '/'],
    ['/..', '/'],
    ['/a/../b', '/b'],
    ['/a/b/..', '/a/'],
    ['~/x/../.ssh', '~/.ssh'],
    ['~/..', '~/..'],
    ['~/../bob', '~/../bob'],
    ['/a//b///c/', '/a/b/c/'],
    ['~', '~'],
    ['~/', '~/'],
    ['~bob/x', '~bob/x'],
    ['$HOME', '~'],
    ['$HOME/.ssh', '~/.ssh'],
    ['${HOME}/.ssh', '~/.ssh'],
    ['$HOMEX/a', '$HOMEX/a'],
    ['a/$HOME', 'a/$HOME'],
    ['%USERPROFILE%\\.ssh', '~/.ssh'],
    ['%userprofile%', '~'],
    ['%HOMEDRIVE%%HOMEPATH%\\x', '~/x'],
    ['$env:USERPROFILE\\x', '~/x'],
    ['${env:USERPROFILE}/x', '~/x'],
    ['%APPDATA%\\x', '~/AppData/Roaming/x'],
    ['%TEMP%\\x', '~/AppData/Local/Temp/x'],
    ['C:\\Users\\bob\\', 'C:/Users/bob/'],
    ['.\\a\\b', 'a/b'],
    ['..\\a', '../a'],
    ['a\\b', 'a/b'],
    ['~\\x', '~/x'],
    ['\\\\.\\PhysicalDrive0', '//./PhysicalDrive0'],
    ['\\\\srv\\share\\x', '//srv/share/x'],
    ['a\\ b/c', 'a\\ b/c'],
    ['file:///etc/shadow', '/etc/shadow'],
    ['*', '*'],
    ['./*', '*'],
    ['/home/mira/a b', '/home/mira/a b'],
  ])('%s -> %s', (path, normal) => expect(normalisePath(path)).toBe(normal));

  it.each([
    ['~', './~'],
    ['~/x', './~/x'],
    ['$HOME', './$HOME'],
    ['/a/~', '/a/~'],
    ['--x=~', '--x=~'],
  ])('quoted: %s -> %s', (path, normal) => expect(normalisePath(path, { quotedTilde: true })).toBe(normal));

  it.each(['~/.ssh', './a//b/../c', '%USERPROFILE%\\x', '\\\\.\\PhysicalDrive0', '/a/../..', './'])(
    'does not change what it gave: %s',
    (path) => {
      const normal = normalisePath(path);
      expect(normalisePath(normal)).toBe(normal);
    },
  );
});

describe('hostOf', () => {
  it.each([
    ['https://Example.COM/x', 'example.com'],
    ['https://u:p@example.com:8443/x?y#z', 'example.com'],
    ['https://good.com@evil.invalid/x', 'evil.invalid'],
    ['https://evil.invalid\\@good.com/', 'evil.invalid'],
    ['http://example.com.', 'example.com'],
    ['example.com', 'example.com'],
    ['example.com:80/x', 'example.com'],
    ['example.com/x:y', 'example.com'],
    ['git@github.com:acme/x.git', 'github.com'],
    ['deploy@web-1.acme.invalid:/srv/', 'web-1.acme.invalid'],
    ['host:path', 'host'],
    ['ssh://git@h.invalid:22/x', 'h.invalid'],
    ['s3://bucket/key', 'bucket'],
    ['//cdn.invalid/x', 'cdn.invalid'],
    ['http://[::1]:8080/x', '[::1]'],
    ['[FD00:EC2::254]:80', '[fd00:ec2::254]'],
    ['fd00:ec2::254', '[fd00:ec2::254]'],
    ['http://127.0.0.1:3000', '127.0.0.1'],
    ['http://2852039166/latest', '169.254.169.254'],
    ['http://0xa9fea9fe/', '169.254.169.254'],
    ['http://0251.0376.0251.0376/', '169.254.169.254'],
    ['http://169.254.43518/', '169.254.169.254'],
    ['http://$HOST:80/x', '$host:80'],
    ['http://${HOST}/x', '${host}'],
    ['me@acme.invalid', 'acme.invalid'],
    ['', ''],
  ])('%s -> %s', (address, host) => expect(hostOf(address)).toBe(host));
});
