import { expect } from 'chai';
import fc from 'fast-check';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import { cellsOf, readChosen, type Cells } from '../../../../src/services/summary/chosen-records.js';
import { ID_FIELD } from '../../../support/fake-project.js';
import { withFaults } from '../../../support/fault-client.js';
import { rejection } from '../../../support/rejection.js';

const structure = new ProjectStructure({ dictionary: DataDictionary.of([ID_FIELD]) });

/** Reads an answer of REDCap. @returns the number of rows of each record, and the columns */
async function read(body: string): Promise<{ readonly rows: number[]; readonly names: readonly string[] }> {
  const rows: number[] = [];
  let names: readonly string[] = ['unread'];
  const sink = {
    header: (found: readonly string[]) => void (names = found),
    record: (found: readonly Cells[]) => void rows.push(found.length),
  };
  await withFaults(
    () => ({ kind: 'answer', body, framing: 'chunked' }),
    ({ client }) => readChosen(client, {}, sink, { filter: {}, structure, dateField: undefined }, {}),
    { timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 } },
  );
  return { rows, names };
}

describe('readChosen', () => {
  it('passes on the rows of each record together', async () => {
    expect(await read('record_id,age\nA,1\nA,2\nB,3\nA,4\n')).to.deep.equal({
      rows: [2, 1, 1],
      names: ['record_id', 'age'],
    });
  });

  it('UP-02: refuses a record with more rows than can be held', async () => {
    const bodyOf = (rows: number): string => `record_id\n${'A\n'.repeat(rows)}`;

    expect(await read(bodyOf(100_000))).to.have.deep.property('rows', [100_000]);
    expect(await rejection(read(bodyOf(100_001))))
      .to.have.property('message')
      .that.includes('100000 rows');
  });

  for (const [what, body] of [
    ['a row larger than any that is read', `record_id,note\n1,"${'x'.repeat(17 * 1024 * 1024)}"\n`],
    ['an end inside a cell', 'record_id,note\n1,"x\n'],
  ] as const) {
    it(`OPS-06: fails for ${what}, and the process goes on`, async () => {
      expect(await rejection(read(body))).to.have.property('code', 'upstream_invalid');
    });
  }
});

describe('cellsOf', () => {
  it('returns the cells of any row, quoted or not', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ü', '-'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 70 }), (cells) => {
        expect(cellsOf(Buffer.from(cells.map(quoted).join(',')))).to.deep.equal(cells);
      }),
    );
  });

  it('drops a byte order mark before the header, and reads a quoted empty cell as a row', () => {
    expect(cellsOf(Buffer.from('\uFEFFrecord_id,age'))).to.deep.equal(['record_id', 'age']);
    expect(cellsOf(Buffer.from('""'))).to.deep.equal(['']);
  });
});

function quoted(value: string): string {
  return /[",\s]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
