import { UpstreamInvalidError } from '../../errors/upstream-errors.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';

/** Parses a row from the bytes of one JSON object. @throws {UpstreamInvalidError} they are not valid JSON */
export function parseRow(json: Buffer): RecordRow {
  try {
    return JSON.parse(json.toString('utf8')) as RecordRow;
  } catch (error) {
    // The message of a SyntaxError quotes the text, so it must not be kept.
    throw new UpstreamInvalidError('A record of REDCap is not valid JSON.', {
      cause: error instanceof SyntaxError ? undefined : error,
    });
  }
}
