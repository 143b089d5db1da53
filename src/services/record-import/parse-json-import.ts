import type { ImportEvent } from './import-event.js';
import type { ImportRequest } from './import-request.js';
import { JsonImportSplitter } from './json-import-splitter.js';
import { parseFlatRow } from './parse-flat-row.js';

/**
 * Reads `{ "records": [ … ], …options }`, rows and options in the order in which they stand; or, where the request allows
 * it, `[ … ]`. A record is held until it is whole, at most `maxRowBytes` of it.
 *
 * @throws {InvalidRequestError} a property is unknown or stands twice, or there are no records
 * @throws {MalformedRequestError} naming the record by its number
 */
export async function* parseJsonImport(
  pieces: AsyncIterable<Buffer>,
  { isListAllowed = false }: Pick<ImportRequest, 'isListAllowed'>,
  maxRowBytes: number,
): AsyncGenerator<ImportEvent, void, undefined> {
  const splitter = new JsonImportSplitter({ maxRecordBytes: maxRowBytes, isListAllowed });
  let position = 0;
  for await (const piece of pieces) {
    for (const part of splitter.push(piece)) {
      if (part.kind === 'option') yield part;
      else {
        position++;
        yield { kind: 'row', row: parseFlatRow(part.bytes, position), bytes: part.bytes.length };
      }
    }
  }
  splitter.end();
}
