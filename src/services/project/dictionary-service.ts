import type { Readable } from 'node:stream';
import { parseDictionaryCsv, toDictionaryCsv } from '../../dictionary/dictionary-csv.js';
import type { Field } from '../../dictionary/field.js';
import { fieldsFromJson } from '../../dictionary/fields-from-json.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import { readText } from './read-text.js';

/** Which fields of the dictionary. */
export interface FieldSelection extends CallOptions {
  readonly fields?: readonly string[] | undefined;
  readonly forms?: readonly string[] | undefined;
}

type Client = Pick<CrfClient, 'getMetadata'> & {
  readonly dictionary: Pick<CrfClient['dictionary'], 'import'>;
};

/** The data dictionary, as fields and as the CSV that REDCap's pages give and take. */
export class DictionaryService {
  constructor(private readonly client: Client) {}

  /** In the order of the project. */
  fields(selection?: FieldSelection): Promise<Field[]> {
    return this.client.getMetadata(selection);
  }

  /** The same as CSV, in the eighteen columns of REDCap's API. */
  async csv(selection?: FieldSelection): Promise<string> {
    return toDictionaryCsv(await this.fields(selection));
  }

  /**
   * Replaces the whole data dictionary: fields that are left out are gone. Sent twice it comes to the same.
   *
   * @param source CSV as an export or REDCap's page gives it, or `{ "fields": [ … ] }`
   * @returns how many fields the project has then
   * @throws {InvalidRequestError} a field or a row breaks a rule: it names which, never the value
   * @throws {MalformedRequestError} {PayloadTooLargeError} the body cannot be read
   */
  async replace(source: Readable, format: 'json' | 'csv', options?: CallOptions): Promise<number> {
    const text = await readText(source, MAX_DICTIONARY_BYTES);
    const fields = format === 'csv' ? parseDictionaryCsv(text) : fieldsFromJson(text);
    return this.client.dictionary.import(fields, options);
  }
}

/** Dictionaries of ten thousand fields are a few megabytes. */
const MAX_DICTIONARY_BYTES = 16 * 1024 * 1024;
