/** What the writer needs to know of a row. The first two doubles are its place in time (NaN: behind all dated rows) and its offset. */
export const ENTRY = { ns: 4, size: 5, place: 6, about: 7, group: 8, primaryHigh: 9, primaryLow: 10 } as const;
export const ENTRY_WIDTH = 12;

// `about`: the number of the run file, how the row's own time is to its place in time, and whether it is a copy.
const STANDING_SHIFT = 8;
const COPY = 1 << 10;

export const aboutOf = (file: number, standing: number, copy: boolean) => file | (standing << STANDING_SHIFT) | (copy ? COPY : 0);
export const fileOf = (about: number) => about & 0xff;
export const standingIn = (about: number) => (about >> STANDING_SHIFT) & 3;
export const isCopy = (about: number) => (about & COPY) !== 0;
