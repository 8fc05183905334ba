import type { Word } from '../raw.js';
import { tail } from './facts.js';

export const SCHEME = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** `host:path` and `user@host:path`, not `C:\path`. */
const REMOTE = /^(?:[^\s/:@]+@)?(?:\[[0-9a-f:]+\]|[^\s/:[\]]{2,}):(?!\/\/)|^[^\s/:@]+@[^\s/:@]+:?$|^(?:rsync|scp|sftp):\/\//i;

/** The rest of a word behind a prefix: the file of `name=@file`. */
export function after(word: Word, prefix: RegExp): Word[] {
  const match = prefix.exec(word.value);
  return match === null ? [] : [tail(word, match[0].length)];
}

/** The far side of `scp` and its like. */
export function isRemote(text: string): boolean {
  return REMOTE.test(text) && !/^[A-Za-z]:[\\/]/.test(text);
}

/** An address as an operand: with a scheme, or a name with a dot, a port or a variable. Anything else may be a stray word. */
export function looksLikeAddress(text: string): boolean {
  return SCHEME.test(text) || /^[\w$"{<[(`]/.test(text);
}

/** The name under which a download is kept. */
export function fileOfAddress(address: string): Word[] {
  const name = /^[^?#]*\/([^/?#]+)(?:[?#]|$)/.exec(address.replace(/^[a-z]+:\/\//i, ''))?.[1];
  return name === undefined ? [] : [{ value: name, raw: name, literal: false }];
}
