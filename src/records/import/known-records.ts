import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import { recordIdOf } from '../../gateways/redcap/record-row.js';
import { isRefusal } from '../../gateways/redcap/call-errors.js';
import { MAX_REMEMBERED } from './input-limits.js';

/** Provides the ids of the stored records. */
export interface RecordSource extends Pick<CrfClient, 'streamRecords'> {
  readonly records?: Pick<CrfClient['records'], 'nextId'>;
}

/** The ids of the records that a project has, at most a million of them. */
export class KnownRecords {
  readonly #ids = new Set<string>();
  #numbered = 0;

  /**
   * Lists the records in one call.
   *
   * @param mayBeRefused whether a token that may not export knows none; otherwise it gets an error
   * @throws {CrfError} what `CrfClient.streamRecords` throws
   */
  static async load(
    source: RecordSource,
    idField: string,
    call: CallOptions,
    mayBeRefused: boolean,
  ): Promise<KnownRecords> {
    const known = new KnownRecords();
    try {
      for await (const row of source.streamRecords({ ...call, fields: [idField] }))
        if (known.#ids.size < MAX_REMEMBERED) known.#add(recordIdOf(row, idField));
    } catch (error) {
      if (!isRefusal(error) || !mayBeRefused) throw error;
    }
    return known;
  }

  /** The id that REDCap would give the next record, if it was asked for and may be known. */
  nextId?: string | undefined;

  /** Whether most of the ids are like those that REDCap gives. */
  get areNumbers(): boolean {
    return this.#numbered * 2 > this.#ids.size;
  }

  #add(record: string): void {
    if (!this.#ids.has(record) && isLikeNumbers(record)) this.#numbered++;
    this.#ids.add(record);
  }

  has(record: string): boolean {
    return this.#ids.has(record);
  }
}

/** @returns whether an id is like those that REDCap gives: a number, or one behind that of a group. @see docs/protocol/redcap.md 6.4 (doc, client) */
export function isLikeNumbers(record: string): boolean {
  return /^(?:\d+-)?\d+$/.test(record);
}
