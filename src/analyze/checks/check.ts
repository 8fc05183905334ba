import type { Survey } from '../survey.js';
import type { RowView } from '../view.js';

/** An analysis that is not a pattern: sees the primary rows in order and names those it has something to say about. */
export interface Check {
  take(view: RowView): readonly RowView[];
}

export type MakeCheck = (survey: Survey) => Check;
