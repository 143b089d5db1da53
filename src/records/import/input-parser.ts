import { CSV_DELIMITERS } from '../../gateways/redcap/csv-delimiter.js';
import { CsvParser } from './csv-parser.js';
import type { ImportRequest } from './import-request.js';
import type { InputErrors } from './input-errors.js';
import type { InputParser } from './input-item.js';
import { JsonParser } from './json-parser.js';
import { NdjsonParser } from './ndjson-parser.js';

/** Creates the parser for the format of the request. */
export function inputParser(
  { format, csvDelimiter, values, rawOrLabelHeaders }: ImportRequest,
  maxRowBytes: number,
  errors: InputErrors,
): InputParser {
  const options = { maxRowBytes, errors, areTyped: values === 'typed' };
  switch (format) {
    case 'json':
      return new JsonParser(options);
    case 'ndjson':
      return new NdjsonParser(options);
    case 'csv':
      return new CsvParser(
        csvDelimiter && CSV_DELIMITERS[csvDelimiter],
        maxRowBytes,
        errors,
        rawOrLabelHeaders === 'label',
      );
  }
}
