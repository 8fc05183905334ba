/**
 * The host of an address, lower case, without user, port and path: of a URL, of `user@host:path`, of a bare host. Numeric spellings of an
 * IPv4 address (`2852039166`, `0xa9fea9fe`) are written as the usual four numbers, so that a list of addresses is not passed by.
 */
export function hostOf(address: string): string {
  const scheme = /^[a-z][a-z0-9+.-]{0,20}:\/{2,}/i.exec(address);
  const rest = scheme === null ? address.replace(/^\/\//, '') : address.slice(scheme[0].length);
  const authority = /^[^/?#\\]*/.exec(rest)?.[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const bracketed = /^\[[^\]]*\]/.exec(host);
  if (bracketed !== null) return bracketed[0].toLowerCase();
  if (scheme === null && host.indexOf(':') !== host.lastIndexOf(':') && /^[0-9a-f:.]+$/i.test(host)) return `[${host.toLowerCase()}]`;
  return numeric(withoutPort(host).toLowerCase().replace(/\.$/, ''));
}

/** `${HOST:-x}` has a colon of its own. */
function withoutPort(host: string): string {
  if (host.startsWith('$')) return host;
  const colon = host.indexOf(':');
  return colon < 0 ? host : host.slice(0, colon);
}

function numeric(host: string): string {
  if (!/^(?:0x[0-9a-f]{1,8}|\d{1,10})(?:\.(?:0x[0-9a-f]{1,8}|\d{1,10})){0,3}$/.test(host)) return host;
  if (/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(host)) return host;
  if (/^\d{1,7}$/.test(host)) return host;
  const parts = host.split('.').map((part) => (/^0\d/.test(part) ? Number.parseInt(part, 8) : Number(part)));
  const last = parts.pop() ?? 0;
  const value = parts.reduce((sum, part, index) => sum + part * 256 ** (3 - index), last);
  if (!(value >= 0 && value < 2 ** 32)) return host;
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
