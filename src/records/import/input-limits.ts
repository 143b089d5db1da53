/** More columns than any project of REDCap has in one row (IN-03). */
export const MAX_COLUMNS = 10_000;

/** Maximum number of properties in a typed row, including those of the objects in its lists. */
export const MAX_TYPED_PROPERTIES = 4 * MAX_COLUMNS;

/** Maximum nesting of a typed row: an object of lists of objects. */
export const MAX_TYPED_DEPTH = 3;

/** Maximum size of a row, which is parsed and checked in one step. No value in REDCap is larger than 64 KiB. */
export const MAX_ROW_BYTES = 1024 * 1024;

/** Maximum number of consecutive empty lines. They cost as much as rows, and no genuine import has more. */
export const MAX_EMPTY_LINES = 10_000;

/** The maximum number of rows, records or changes of which one import remembers whether they occurred. */
export const MAX_REMEMBERED = 1_000_000;

/** How much of an import, as it is sent, is held until every row of it has been checked. */
export const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** The same in rows: where each stands and whose it is takes a hundred bytes more. */
export const MAX_HELD_ROWS = 100_000;
