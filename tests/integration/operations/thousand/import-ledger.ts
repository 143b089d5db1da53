import { expect } from 'chai';
import type { RowRange } from '../../../../src/errors/upstream-errors.js';
import type { RecordStore } from '../../../../src/sandbox/redcap/records/record-store.js';
import type { WholeAnswer } from './send.js';

/** What an answer says of the records of an import, in their order. */
export type Promised = 'stored' | 'not stored' | 'unknown';

/** Keeps what was promised of each record that was sent, and holds it against what is there. */
export class ImportLedger {
  /** By the mark of a record, which no other record has. */
  readonly #promises = new Map<string, Promised>();

  /** Writes down what an answer promises; no answer promises nothing. */
  note(marks: readonly string[], answer: WholeAnswer | undefined): void {
    const promises = answer === undefined ? undefined : this.#read(answer);
    marks.forEach((mark, index) => this.#promises.set(mark, promises?.(index) ?? 'unknown'));
  }

  count(promised: Promised): number {
    return [...this.#promises.values()].filter((each) => each === promised).length;
  }

  /** Every record that was promised is there once, none that was refused, and none twice. */
  verify(store: RecordStore): void {
    const found = countMarks(store);
    for (const [mark, promised] of this.#promises) {
      const times = found.get(mark) ?? 0;
      expect(times, `how often ${mark} is there, promised as ${promised}`).to.be.oneOf(TIMES[promised]);
    }
  }

  #read({ status, text }: WholeAnswer): (index: number) => Promised {
    if (status === 200) return () => 'stored';
    const problem = JSON.parse(text) as Problem;
    if (problem.code !== 'import_interrupted') return () => 'not stored';
    const { resumeFrom = 0, doubtful = [], storedLater = [] } = problem;
    const isIn = (ranges: readonly RowRange[], index: number): boolean =>
      ranges.some(({ from, to }) => from <= index && index < to);
    return (index) => {
      if (index < resumeFrom || isIn(storedLater, index)) return 'stored';
      return isIn(doubtful, index) ? 'unknown' : 'not stored';
    };
  }
}

interface Problem {
  readonly code: string;
  readonly resumeFrom?: number;
  readonly doubtful?: readonly RowRange[];
  readonly storedLater?: readonly RowRange[];
}

const TIMES: Readonly<Record<Promised, readonly number[]>> = {
  stored: [1],
  'not stored': [0],
  unknown: [0, 1],
};

/** A record that REDCap numbers itself would be there twice if it were sent twice. */
function countMarks(store: RecordStore): Map<string, number> {
  const found = new Map<string, number>();
  for (const { rows } of store.inOrder()) {
    for (const { values } of rows) {
      const mark = values.get('last_name');
      if (mark !== undefined) found.set(mark, (found.get(mark) ?? 0) + 1);
    }
  }
  return found;
}
