import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import type { ProjectInfo } from '../../../../src/gateways/redcap/crf-client.js';
import { EventLoopShare } from '../../../../src/records/import/event-loop-share.js';
import { CallReview, type StoredSource } from '../../../../src/records/import/call-review.js';
import { RowChunker } from '../../../../src/records/import/row-chunker.js';
import { WarningList } from '../../../../src/records/import/warnings/warning-list.js';
import { someField } from '../../../support/some-field.js';

/** A classic project without records. */
function emptyProject(fields: Field[]): StoredSource {
  const none = () => Promise.resolve([]);
  return {
    fields: { list: () => Promise.resolve(fields) },
    project: { getInfo: () => Promise.resolve({ missingDataCodes: '' } as ProjectInfo) },
    events: { list: none },
    mappings: { list: none },
    repeating: { list: none },
    streamRecords: async function* () {},
  };
}

/** Checks rows, and counts how often other work may run meanwhile. */
async function pausesOf(fields: Field[], rows: readonly Record<string, unknown>[]) {
  let pauses = 0;
  const share = new EventLoopShare(undefined, () => {
    pauses++;
    return setImmediate();
  });
  const warnings = new WarningList();
  const request = { format: 'json', dryRun: true } as const;
  const review = new CallReview(emptyProject(fields), request, { call: {}, warnings, share });
  const chunker = new RowChunker({ rows: Infinity, bytes: Infinity });
  for (const [at, row] of rows.entries()) {
    const checked = { record: `${at}`, json: JSON.stringify(row), isNewInstance: false };
    chunker.add(checked, { row: at + 1, line: at + 1 });
  }
  const chunk = chunker.rest();
  if (chunk !== undefined) await review.preview(chunk);
  return { pauses, list: warnings.list };
}

describe('The review of a dry run yields to the event loop', () => {
  it('while the rows of a call are read', async () => {
    const fields = [someField('id'), someField('age', { isRequired: true }), someField('note')];
    const rows = Array.from({ length: 100 }, (_, at) => ({ id: `${at}`, age: '', note: 'x'.repeat(10_000) }));
    const { pauses, list } = await pausesOf(fields, rows);

    expect(pauses).to.be.at.least(25);
    expect(list?.rules).to.include({ hidden_value: 0, required_empty: 100 });
    expect(list?.first.map(({ record, row }) => [record, row])).to.deep.equal(
      rows.map(({ id }, at) => [id, at + 1]),
    );
  });

  it('while the fields of short rows are checked', async () => {
    const required = Array.from({ length: 200 }, (_, at) => someField(`field_${at}`, { isRequired: true }));
    const rows = Array.from({ length: 40 }, (_, at) => ({ id: `${at}`, field_0: '1' }));
    const { pauses, list } = await pausesOf([someField('id'), ...required], rows);

    expect(pauses).to.be.at.least(5);
    expect(list?.count).to.equal(40 * 199);
  });
});
