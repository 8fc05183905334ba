// What the path of a file in `globalStorage/kiro.kiroagent` tells.

const AGENT_FOLDER = 'kiro.kiroagent';
const HEX32 = /^[0-9a-f]{32}$/;

export interface IdePlace {
  /** Hash of the workspace path, or empty. */
  readonly workspaceId: string;
  /** Name of the folder of sessions (the encoded workspace path), or empty. */
  readonly encoded: string;
  /** The file lies where the program puts it, so that its neighbours can be expected too. */
  readonly inStore: boolean;
  readonly name: string;
}

export function idePlace(file: string): IdePlace {
  const parts = file.split('/');
  const name = parts.at(-1) ?? '';
  const at = parts.findLastIndex((part) => part.toLowerCase() === AGENT_FOLDER);
  // A folder taken out of the store still bears its name.
  const sessions = parts.findLastIndex((part) => part.toLowerCase() === 'workspace-sessions');
  const encoded = sessions >= 0 && sessions === parts.length - 3 ? (parts[sessions + 1] ?? '') : '';
  const first = parts.slice(at + 1, -1).find((part) => HEX32.test(part)) ?? '';
  return { workspaceId: encoded === '' ? first : '', encoded, inStore: at >= 0 || encoded !== '', name };
}
