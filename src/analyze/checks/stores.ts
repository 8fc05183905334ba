import type { MakeCheck } from './check.js';

/** An empty database that was made when the same agent of the same user had been in use before. */
export const storeRebuilt: MakeCheck = (survey) => ({
  take(view) {
    const created = /\bholds no conversation\b.*\bcreated=(\S+)/.exec(view.row.row_type === 'gap' ? view.row.text : '')?.[1];
    if (created === undefined) return [];
    const earliest = survey.earliestOf(view.row);
    return earliest !== '' && Date.parse(earliest) < Date.parse(created) ? [view] : [];
  },
});
