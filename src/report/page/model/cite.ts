/** Copies the citation of a row and says so. */
import { citationOf } from '../data/citation.js';
import { ColdRow } from '../data/cold-row.js';
import { copyText } from '../text/copy.js';
import type { Model } from './model.js';

export async function copyCitation(model: Model, row: number): Promise<void> {
  const { loaded } = model.state;
  if (loaded === null || row < 0) return;
  const values = await model.client.cold(row);
  const citation = citationOf(loaded.timeline, row, values === null ? null : new ColdRow(values));
  model.say(
    (await copyText(citation)) ? `Copied: ${citation.slice(0, 90)}${citation.length > 90 ? '…' : ''}` : `To copy by hand: ${citation}`,
  );
}
