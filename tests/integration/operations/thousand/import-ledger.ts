import { expect } from 'chai';
import type { RowRange } from '../../../../src/domain/errors/upstream-errors.js';
import type { RecordStore } from '../../../../src/sandbox/redcap/records/record-store.js';
import type { WholeAnswer } from './send.js';

/** What an answer promises about the records of an import, in order. */
export type Promised = 'stored' | 'not stored' | 'unknown';

/** Keeps what was promised about each record, and compares it with what is stored. */
export class ImportLedger {
  /** The promises by the mark of a record, which no other record has. */
  readonly #promises = new Map<string, Promised>();

  /** Records what an answer promises. No answer promises nothing. */
  note(marks: readonly string[], answer: WholeAnswer | undefined): void {
    const promises = answer === undefined ? undefined : this.#read(answer);
    marks.forEach((mark, index) => this.#promises.set(mark, promises?.(index) ?? 'unknown'));
  }

  count(promised: Promised): number {
    return [...this.#promises.values()].filter((each) => each === promised).length;
  }

  /** Checks that every promised record is stored once, no refused record is, and none is stored twice. */
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

/** A record that REDCap numbers would be stored twice if it were sent twice. */
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
