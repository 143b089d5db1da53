/** More columns than any project of REDCap has in one row (IN-03). */
export const MAX_COLUMNS = 10_000;

/** Empty lines one after the other: more of them are no import, and cost as much as rows. */
export const MAX_EMPTY_LINES = 10_000;
