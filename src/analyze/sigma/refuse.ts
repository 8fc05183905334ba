/** Why a Sigma rule is not taken, in plain words. Thrown inside of this folder, and handed out as a value. */
export class Refusal extends Error {}

export function refuse(reason: string): never {
  throw new Refusal(reason);
}
