/** More columns than any project of REDCap has in one row (IN-03). */
export const MAX_COLUMNS = 10_000;

/** Maximum size of a row, which is parsed and checked in one step. No value in REDCap is larger than 64 KiB. */
export const MAX_ROW_BYTES = 1024 * 1024;

/** Maximum number of consecutive empty lines. They cost as much as rows, and no genuine import has more. */
export const MAX_EMPTY_LINES = 10_000;
