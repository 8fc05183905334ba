import { type Facts, STREAMS } from './facts/facts.js';
import { findFacts } from './facts/index.js';
import { readOptions } from './options/read.js';
import type { Draft, RawCommand, Word } from './raw.js';
import type { Scope } from './scope.js';
import { programName } from './unwrap.js';
import { startOf } from './windows/start.js';

const NOTHING: readonly never[] = [];

/** Finds the facts of one command. */
export function buildCommand(raw: RawCommand, scope: Scope): Draft {
  const name = programName(raw.words[0]?.value ?? '');
  const args = raw.words.length > 0 ? raw.words.slice(1) : raw.assignments.map((value): Word => ({ value, raw: value, literal: false }));
  const options = readOptions(name, args, raw.shell);
  const heredoc = raw.heredoc === '' ? scope.input : raw.heredoc;
  const hasFile = raw.redirects.some((redirect) => redirect.kind !== 'write');
  const seen = raw.filled?.slice(1) ?? args;
  const known = raw.filled === undefined ? options : readOptions(name, seen, raw.shell);
  const facts = findFacts({
    name,
    shell: raw.shell,
    args: seen,
    options: known,
    upstream: scope.upstream,
    hasInput: hasFile || heredoc !== '',
    hasFile,
    place: scope.place,
  });
  for (const redirect of raw.redirects) addRedirect(redirect.kind, redirect.target, facts);
  const values = args.map((word) => word.value);
  const ops = options.operands.map((word) => word.value);
  const shielded = scope.remote || scope.container;
  return {
    name,
    line: (name !== '' ? raw.words.map((word) => word.value) : values).join(' '),
    text: raw.text,
    args: values,
    ops,
    sub: ops.slice(0, 3).join(' '),
    flags: options.flags,
    values: new Map([...options.values].map(([flag, words]) => [flag, words.map((word) => word.value)])),
    reads: facts.reads,
    writes: facts.writes,
    deletes: facts.deletes,
    recursive: facts.recursive,
    force: facts.force,
    fetches: facts.fetches,
    sends: facts.sends,
    urls: facts.urls,
    body: facts.body,
    bodyFile: facts.bodyFile,
    from: scope.upstream.length === 0 ? NOTHING : scope.upstream.map((command) => command.name),
    to: [],
    upstream: scope.upstream,
    subst: raw.subst,
    procsub: raw.procsub,
    wrappers: scope.wrappers,
    privileged: scope.privileged,
    via: scope.via,
    remote: scope.remote,
    container: scope.container,
    encoded: scope.encoded || isEncodedStart(name, values),
    env: raw.assignments,
    heredoc,
    stdinCode: facts.stdinCode,
    outsideProject: facts.deletes.length === 0 || shielded || facts.deletes.includes('{}') ? undefined : scope.place.outside(facts.deletes),
  };
}

const SOCKET = /^\/dev\/(?:tcp|udp)\/([^/]+)\//;

function addRedirect(kind: 'read' | 'write' | 'both', target: Word, facts: Facts): void {
  if (STREAMS.test(target.value)) {
    if (kind === 'read' && target.value === '/dev/null') facts.reads.push('/dev/null');
    return;
  }
  const host = SOCKET.exec(target.value)?.[1];
  if (kind !== 'write') {
    facts.read([target]);
    if (host !== undefined) facts.fetch(host);
  }
  if (kind !== 'read') {
    facts.write([target]);
    if (host !== undefined) facts.send(host);
  }
}

function isEncodedStart(name: string, args: readonly string[]): boolean {
  return (name === 'powershell' || name === 'pwsh') && startOf(args).kind === 'encoded';
}
