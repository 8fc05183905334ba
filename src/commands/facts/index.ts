import { CMDLETS } from './cmdlets.js';
import { COPIES } from './copies.js';
import { Facts, type Invocation } from './facts.js';
import { FILE_FINDERS } from './files.js';
import { find, isStdinCode } from './interpreters.js';
import { NETWORK } from './network.js';

const FINDERS = new Map([...NETWORK, ...COPIES, ...FILE_FINDERS, ...CMDLETS, ['find', find] as const, ['gfind', find] as const]);

/** All that a program of known name does with files and addresses. */
export function findFacts(call: Invocation): Facts {
  const facts = new Facts(call.place);
  FINDERS.get(call.name)?.(call, facts);
  facts.stdinCode = isStdinCode(call);
  for (const word of call.args) if (/^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s]/i.test(word.value)) facts.url(word.value);
  return facts;
}
