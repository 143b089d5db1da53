/** More columns than any project of REDCap has in one row (IN-03). */
export const MAX_COLUMNS = 10_000;

/** Bytes of one row: what is parsed and checked in one piece. No value of REDCap has more than 64 KiB. */
export const MAX_ROW_BYTES = 1024 * 1024;

/** Empty lines one after the other: more of them are no import, and cost as much as rows. */
export const MAX_EMPTY_LINES = 10_000;
