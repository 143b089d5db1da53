import type { Sentence } from '../../domain/errors/sentences.js';
import type { IgnoredColumn, RepeatedRow } from '../../gateways/redcap/crf-client.js';
import type { RowPlace } from './input-item.js';
import { MAX_REMEMBERED } from './input-limits.js';
import type { ImportWarning, WarningRule } from './warnings/import-warning.js';
import { WarningList } from './warnings/warning-list.js';

/** Why an import cannot store a column. */
export type IgnoredReason = IgnoredColumn['reason'];

/** What is unusual about one value that is sent all the same. */
export interface ValueWarning extends Pick<ImportWarning, 'field' | 'instrument'>, Sentence {
  readonly rule: Exclude<WarningRule, 'hidden_value' | 'required_empty' | 'other_arm'>;
}

/**
 * What is noticed about the rows of one import without refusing any of them. What concerns a row counts once the row is
 * known to be valid.
 */
export class ImportRemarks {
  readonly #counts = new Map<string, { readonly reason: IgnoredReason; values: number }>();
  readonly #keys = new Set<string>();
  readonly #repeated: RepeatedRow[] = [];
  #repeatedCount = 0;
  /** Of the current row: the counts of its values that are left out, what is unusual about others, and its key. */
  #ignored: { values: number }[] = [];
  #warnings: ValueWarning[] = [];
  #key: string | undefined;

  /** @param list receives the warnings about values */
  constructor(private readonly list: WarningList = new WarningList()) {}

  /** The ignored columns that occurred, including those with only blank values. */
  get ignored(): readonly IgnoredColumn[] {
    return [...this.#counts].map(([field, { reason, values }]) => ({ field, reason, values }));
  }

  /** How many rows repeat an earlier one, and the first of them. */
  get repeated(): { readonly count: number; readonly rows: readonly RepeatedRow[] } {
    return { count: this.#repeatedCount, rows: this.#repeated };
  }

  /** Notes a value that is left out. */
  ignore(field: string, reason: IgnoredReason, isBlank: boolean): void {
    let count = this.#counts.get(field);
    if (count === undefined) this.#counts.set(field, (count = { reason, values: 0 }));
    if (!isBlank) this.#ignored.push(count);
  }

  warn(warning: ValueWarning): void {
    this.#warnings.push(warning);
  }

  /**
   * Notes what the current row is for: record, event, instrument and instance, and in EAV also the field. REDCap keeps the
   * value of the last row for the same, which is rarely intended. The keys of at most a million rows are kept.
   */
  setKey(texts: readonly string[]): void {
    this.#key = texts.join('\0');
  }

  /** Counts what was noticed about the current row, which is valid. @param keys its event, repeat instrument and instance */
  endRow(record: string, { row, line }: RowPlace, keys: readonly string[]): void {
    for (const count of this.#ignored) count.values++;
    const [event = '', , instance = ''] = keys;
    const place = { record, event, instance: Number(instance) || null, row, line };
    for (const warning of this.#warnings) this.list.add({ ...place, ...warning });
    const key = this.#key;
    if (key !== undefined && this.#keys.has(key)) {
      this.#repeatedCount++;
      if (this.#repeated.length < MAX_ROWS) this.#repeated.push({ record, row, line });
    } else if (key !== undefined && this.#keys.size < MAX_REMEMBERED) this.#keys.add(key);
    this.dropRow();
  }

  /** Discards what was noticed about the current row, which will be read again or not sent. */
  dropRow(): void {
    this.#ignored.length = 0;
    this.#warnings.length = 0;
    this.#key = undefined;
  }
}

const MAX_ROWS = 100;
