import { expect } from 'chai';
import fc from 'fast-check';
import { cellsOf, readRows } from '../../../../src/services/summary/read-rows.js';
import { rejection } from '../../../support/rejection.js';
import { withFaults } from '../../../support/fault-client.js';

const sink = { header: () => undefined, row: () => undefined };

describe('readRows', () => {
  for (const [what, body] of [
    ['a row larger than any that is read', `record_id,note\n1,"${'x'.repeat(17 * 1024 * 1024)}"\n`],
    ['an end inside a cell', 'record_id,note\n1,"x\n'],
  ] as const) {
    it(`OPS-06: fails for ${what}, and the process goes on`, async () => {
      await withFaults(
        () => ({ kind: 'answer', body, framing: 'chunked' }),
        async ({ client }) => {
          expect(await rejection(readRows(client, {}, sink, {}))).to.have.property(
            'code',
            'upstream_invalid',
          );
        },
        { timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 } },
      );
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
