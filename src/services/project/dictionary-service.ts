import type { Readable } from 'node:stream';
import { parseDictionaryCsv, toDictionaryCsv } from '../../dictionary/dictionary-csv.js';
import type { Field } from '../../dictionary/field.js';
import { fieldsFromJson } from '../../dictionary/fields-from-json.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import { readText } from './read-text.js';

/** Selects fields of the dictionary. */
export interface FieldSelection extends CallOptions {
  readonly fields?: readonly string[] | undefined;
  readonly forms?: readonly string[] | undefined;
}

type Client = Pick<CrfClient, 'getMetadata'> & {
  readonly dictionary: Pick<CrfClient['dictionary'], 'import'>;
};

/** The data dictionary, as fields and as the CSV used by REDCap's pages. */
export class DictionaryService {
  /** @param pace the minimum speed of a sender */
  constructor(
    private readonly client: Client,
    private readonly pace?: ReaderPaceOptions,
  ) {}

  /** Returns the fields in project order. */
  fields(selection?: FieldSelection): Promise<Field[]> {
    return this.client.getMetadata(selection);
  }

  /** Returns the fields as CSV, in the eighteen columns of REDCap's API. */
  async csv(selection?: FieldSelection): Promise<string> {
    return toDictionaryCsv(await this.fields(selection));
  }

  /**
   * Replaces the whole data dictionary. Fields that are left out are deleted. Repeating the call has no further effect.
   *
   * @param source CSV from an export or from REDCap's pages, or `{ "fields": [ … ] }`
   * @returns the number of fields of the project afterwards
   * @throws {InvalidRequestError} a field or a row is invalid; names the place, never the value
   * @throws {MalformedRequestError} {PayloadTooLargeError} the body cannot be read
   */
  async replace(source: Readable, format: 'json' | 'csv', options?: CallOptions): Promise<number> {
    const text = await readText(source, { limitBytes: MAX_DICTIONARY_BYTES, pace: this.pace });
    const fields = format === 'csv' ? parseDictionaryCsv(text) : fieldsFromJson(text);
    return this.client.dictionary.import(fields, options);
  }
}

/** Dictionaries with ten thousand fields have a few megabytes. */
const MAX_DICTIONARY_BYTES = 16 * 1024 * 1024;
