import type { ImportDataOptions, ImportResult } from '../../../../src/gateways/redcap/crf-client.js';
import { settled } from '../../../support/manual-clock.js';
import { ImportProject, type Row } from '../../../support/import-project.js';

/** The outcome of a call. `lost`: REDCap has stored the rows, but its answer does not arrive. */
export type Answer = 'stored' | { readonly lost: Error } | { readonly refused: Error };

/** A call that is waiting for its answer. */
export interface HeldCall {
  readonly number: number;
  readonly rows: readonly Row[];
  answer(answer: Answer): void;
}

/** A project whose calls are answered when the test says so, in any order. It keeps values by record and column. */
export class HeldProject extends ImportProject {
  readonly held: HeldCall[] = [];
  readonly records = new Map<string, Row>();
  /** The maximum number of concurrent calls. */
  peak = 0;
  /** Whether two concurrent calls contained the same record. */
  hasRaced = false;

  override importData(data: string | Buffer, options: ImportDataOptions): Promise<ImportResult> {
    const rows = JSON.parse(String(data)) as Row[];
    const ids = [...new Set(rows.map((row) => String(row['record_id'])))];
    const number = this.calls.push({ rows, options }) - 1;
    const others = this.held.flatMap((call) => call.rows.map((row) => String(row['record_id'])));
    this.hasRaced ||= ids.some((id) => others.includes(id));
    return new Promise((resolve, reject) => {
      const call: HeldCall = {
        number,
        rows,
        answer: (answer) => {
          this.held.splice(this.held.indexOf(call), 1);
          if (typeof answer === 'object' && 'refused' in answer) return reject(answer.refused);
          for (const row of rows) this.#store(row);
          if (answer !== 'stored') return reject(answer.lost);
          resolve(options.returnContent === 'ids' ? { count: ids.length, ids } : { count: ids.length });
        },
      };
      this.held.push(call);
      this.peak = Math.max(this.peak, this.held.length);
    });
  }

  /** Answers the calls as they arrive, until the import ends. @param next selects a pending call and its answer */
  async serve(
    importing: Promise<unknown>,
    next: (held: readonly HeldCall[]) => readonly [call: HeldCall | undefined, answer: Answer],
  ): Promise<void> {
    let isOver = false;
    const over = importing.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    while (!isOver) {
      await settled();
      const [call, answer] = next(this.held);
      call?.answer(answer);
    }
    await over;
  }

  #store(row: Row): void {
    const id = String(row['record_id']);
    this.records.set(id, { ...this.records.get(id), ...row });
  }
}

/** Selects the oldest call, and stores its rows. */
export function inOrder(held: readonly HeldCall[]): readonly [HeldCall | undefined, Answer] {
  return [held[0], 'stored'];
}
