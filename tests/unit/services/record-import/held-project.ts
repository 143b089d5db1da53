import type { ImportDataOptions, ImportResult } from '../../../../src/gateways/redcap/crf-client.js';
import { settled } from '../../../support/manual-clock.js';
import { ImportProject, type Row } from './import-project.js';

/** What becomes of a call; `lost`: REDCap has stored it, and its answer does not arrive. */
export type Answer = 'stored' | { readonly lost: Error } | { readonly refused: Error };

/** A call that waits for its answer. */
export interface HeldCall {
  readonly number: number;
  readonly rows: readonly Row[];
  answer(answer: Answer): void;
}

/** A project whose calls are answered when a test says so, in any order. What it holds is kept by record and column. */
export class HeldProject extends ImportProject {
  readonly held: HeldCall[] = [];
  readonly records = new Map<string, Row>();
  /** The most calls that were under way at once. */
  peak = 0;
  /** Told when two calls under way hold the same record. */
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

  /** Answers the calls as they come, until the import is over. @param next which of those under way is answered, and with what */
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

/** The one that was sent first is answered, well. */
export function inOrder(held: readonly HeldCall[]): readonly [HeldCall | undefined, Answer] {
  return [held[0], 'stored'];
}
