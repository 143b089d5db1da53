/** The rows of the project that `npm run bench` exports: numbers, dates, short texts and gaps, as in a real study. */

export const ID_FIELD = 'record_id';

/** All rows in one buffer, with the offset of each. Each row ends with its separator. */
export interface Rows {
  readonly bytes: Buffer;
  readonly starts: Float64Array;
}

/** The values repeat from here on, but the ids do not. */
const PERIOD = 997;

export function fieldNamesOf(fieldCount: number): string[] {
  return [ID_FIELD, ...Array.from({ length: fieldCount - 1 }, (_, index) => `field_${index + 1}`)];
}

export function idsOf(recordCount: number): string[] {
  return Array.from({ length: recordCount }, (_, index) => `BENCH-2026-${String(index).padStart(10, '0')}`);
}

/** @param afterId further cells behind the id of each row */
export function jsonRows(ids: readonly string[], fieldNames: readonly string[], afterId = ''): Rows {
  const ends = endingsOf(fieldNames, (values) => {
    const cells = values.map((value, column) => `${JSON.stringify(fieldNames[column + 1])}:${quoted(value)}`);
    return `",${afterId}${cells.join(',')}},`;
  });
  return rowsOf(ids, Buffer.from(`{"${ID_FIELD}":"`), ends);
}

/** @param afterId further cells behind the id of each row */
export function csvRows(ids: readonly string[], fieldNames: readonly string[], afterId = ''): Rows {
  const ends = endingsOf(fieldNames, (values) => `,${afterId}${values.map(toCell).join(',')}\n`);
  return rowsOf(ids, Buffer.alloc(0), ends);
}

/** The part after the id in each of the distinct rows. */
function endingsOf(fieldNames: readonly string[], write: (values: readonly string[]) => string): Buffer[] {
  return Array.from({ length: PERIOD }, (_, index) =>
    Buffer.from(write(fieldNames.slice(1).map((_name, at) => valueOf(index, at + 1)))),
  );
}

function rowsOf(ids: readonly string[], opening: Buffer, endings: readonly Buffer[]): Rows {
  const starts = new Float64Array(ids.length + 1);
  const pieces = ids.flatMap((id, index) => [opening, Buffer.from(id), endings[index % PERIOD] ?? opening]);
  for (let row = 0; row < ids.length; row += 1) {
    const size = pieces.slice(row * 3, row * 3 + 3).reduce((sum, piece) => sum + piece.length, 0);
    starts[row + 1] = (starts[row] ?? 0) + size;
  }
  return { bytes: Buffer.concat(pieces), starts };
}

/** @see `dictionary.ts`, which gives each column the validation that its values satisfy */
function valueOf(index: number, column: number): string {
  const seed = (index * 31 + column * 17) % PERIOD;
  if (column % 5 === 0) return `Note ${seed}, "as told" by the participant`;
  if (column % 5 === 1) return String(seed);
  if (column % 5 === 2) return `2026-${String((seed % 12) + 1).padStart(2, '0')}-15`;
  return column % 5 === 3 ? '' : String(seed % 4);
}

function quoted(value: string): string {
  return JSON.stringify(value);
}

function toCell(value: string): string {
  return /[,"\s]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
