/** The one place where the browser is given code to run: the worker, whose source is part of this script. */
declare const WORKER_SOURCE: string;

interface Policy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

declare global {
  interface Window {
    readonly trustedTypes?: PolicyFactory;
  }
}

/** Starts workers from one address only; the policy lets no other through. */
export function workerStarter(): () => Worker {
  const url = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: 'text/javascript' }));
  const onlyThis = (asked: string): string => {
    if (asked !== url) throw new TypeError('not the worker of this page');
    return asked;
  };
  const policy = window.trustedTypes?.createPolicy('kirotrail', { createScriptURL: onlyThis });
  return () => new Worker(policy?.createScriptURL(url) ?? url);
}
