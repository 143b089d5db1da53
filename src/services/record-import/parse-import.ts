import type { ImportEvent } from './import-event.js';
import type { ImportRequest } from './import-request.js';
import { parseCsvImport } from './parse-csv-import.js';
import { parseJsonImport } from './parse-json-import.js';
import { parseNdjsonImport } from './parse-ndjson-import.js';

/** Reads the body of an import in the format the request names. @throws {CrfError} what the format's parser throws */
export function parseImport(
  pieces: AsyncIterable<Buffer>,
  request: ImportRequest,
  maxRowBytes: number,
): AsyncIterable<ImportEvent> {
  switch (request.format) {
    case 'json':
      return parseJsonImport(pieces, request, maxRowBytes);
    case 'ndjson':
      return parseNdjsonImport(pieces, maxRowBytes);
    case 'csv':
      return parseCsvImport(pieces, request, maxRowBytes);
  }
}
