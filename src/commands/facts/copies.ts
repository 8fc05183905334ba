import { isRemote, SCHEME } from './addresses.js';
import { type Facts, has, type Invocation, valuesOf } from './facts.js';

type Finder = (call: Invocation, facts: Facts) => void;

/** `scp`, `rsync`: sources, then one target; either side may be remote. */
function remoteCopy(call: Invocation, facts: Facts): void {
  const operands = [...call.options.operands];
  const target = operands.pop();
  if (target === undefined) return;
  const local = operands.filter((word) => !isRemote(word.value));
  facts.read(local);
  for (const word of operands) if (isRemote(word.value)) facts.fetch(word.value);
  if (isRemote(target.value)) {
    facts.send(target.value);
    facts.body = local.length > 0;
    facts.bodyFile = facts.body;
  } else facts.write([target]);
  facts.recursive = has(call.options, '-r', '-a', '--recursive', '--archive');
}

function sftp(call: Invocation, facts: Facts): void {
  const [target] = call.options.operands;
  if (target === undefined) return;
  facts.fetch(target.value);
  if (call.upstream.length > 0 || call.hasInput || has(call.options, '-b')) facts.send(target.value);
  facts.read(valuesOf(call.options, '-b'));
}

/** `aws s3 cp`, `gsutil cp`, `rclone copy`: a bucket on one side. */
function bucketCopy(verbs: RegExp, remote: RegExp): Finder {
  return (call, facts) => {
    const words = call.options.operands;
    const at = words.findIndex((word) => verbs.test(word.value));
    if (at < 0 || at > 1) return;
    const operands = words.slice(at + 1);
    const target = operands.pop();
    if (target === undefined) return;
    const local = operands.filter((word) => !remote.test(word.value));
    facts.read(local);
    for (const word of operands) if (remote.test(word.value)) facts.fetch(word.value);
    if (remote.test(target.value)) {
      facts.send(target.value);
      facts.body = true;
      facts.bodyFile = local.length > 0;
    } else facts.write([target]);
  };
}

function git(call: Invocation, facts: Facts): void {
  const [sub, ...operands] = call.options.operands.map((word) => word.value);
  const addresses = operands.filter((text) => SCHEME.test(text) || /^[\w.-]+@[\w.-]+:/.test(text));
  for (const address of addresses) {
    if (sub === 'push') facts.send(address);
    else if (sub === 'clone' || sub === 'fetch' || sub === 'pull' || sub === 'ls-remote') facts.fetch(address);
    else facts.url(address);
  }
  if (sub === 'rm' && !has(call.options, '--cached')) {
    facts.delete(call.options.operands.slice(1));
    facts.recursive = has(call.options, '-r');
  }
  if (sub === 'push' && addresses.length > 0) facts.body = true;
}

const S3 = /^s3:\/\//;

/** Programs that copy files from one machine to another, or to a bucket. */
export const COPIES: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ['scp', remoteCopy],
  ['rsync', remoteCopy],
  ['sftp', sftp],
  ['aws', bucketCopy(/^(?:cp|mv|sync)$/, S3)],
  ['gsutil', bucketCopy(/^(?:cp|mv|rsync)$/, /^gs:\/\//)],
  ['s3cmd', bucketCopy(/^(?:put|get|sync)$/, S3)],
  ['rclone', bucketCopy(/^(?:copy|copyto|sync|move|moveto)$/, /^[\w-]{2,}:/)],
  ['git', git],
]);
