import type { Sentence } from '../../../domain/errors/sentences.js';
import type { RowPlace } from '../input-item.js';
import type { ImportWarning, WarningRule } from './import-warning.js';
import type { WarningList } from './warning-list.js';

/** What is unusual about one value that is sent all the same. */
export interface ValueWarning extends Pick<ImportWarning, 'field' | 'instrument'>, Sentence {
  readonly rule: Exclude<WarningRule, 'hidden_value' | 'required_empty' | 'other_arm'>;
}

/** The warnings about values of the current row. They are reported once the row is known to be sent. */
export class RowWarnings {
  #pending: ValueWarning[] = [];

  constructor(private readonly list: WarningList) {}

  add(warning: ValueWarning): void {
    this.#pending.push(warning);
  }

  /** @param keys event, repeat instrument and instance of the row */
  endRow(record: string, { row, line }: RowPlace, keys: readonly string[]): void {
    if (this.#pending.length === 0) return;
    const [event = '', , instance = ''] = keys;
    const place = { record, event, instance: Number(instance) || null, row, line };
    for (const warning of this.#pending) this.list.add({ ...place, ...warning });
    this.#pending = [];
  }

  dropRow(): void {
    if (this.#pending.length > 0) this.#pending = [];
  }
}
