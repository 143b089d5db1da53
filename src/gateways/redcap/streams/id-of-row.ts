import { UpstreamInvalidError } from '../../../errors/upstream-invalid-error.js';
import type { RecordRow } from '../crf-client.js';

/** The row that the bytes of one JSON object are. @throws {UpstreamInvalidError} they are not valid JSON */
export function parseRow(json: Buffer): RecordRow {
  try {
    return JSON.parse(json.toString('utf8')) as RecordRow;
  } catch (error) {
    // The error's own words quote the text: they must not travel.
    throw new UpstreamInvalidError('A record of REDCap is not valid JSON.', {
      cause: error instanceof SyntaxError ? undefined : error,
    });
  }
}

/**
 * A function that reads the record id out of the JSON of a row. The id stands first in what REDCap
 * writes, and then the rest is not looked at.
 *
 * @param key what the id is called in the row
 */
export function jsonIdReader(key: string): (row: Buffer) => string {
  const opening = `{${JSON.stringify(key)}:"`;
  return (row) => firstString(row, opening) ?? idIn(parseRow(row), key);
}

function firstString(row: Buffer, opening: string): string | undefined {
  if (row.toString('latin1', 0, opening.length) !== opening) return undefined;
  const end = row.indexOf('"', opening.length);
  const text = row.toString('utf8', opening.length, end);
  // An escape, of a quote for one: only a parser knows what is meant.
  return end === -1 || text.includes('\\') ? undefined : text;
}

function idIn(row: RecordRow, key: string): string {
  const id = row[key];
  if (typeof id !== 'string' && typeof id !== 'number') {
    throw new UpstreamInvalidError('A row of REDCap has no record id, though it was asked for.');
  }
  return String(id);
}
