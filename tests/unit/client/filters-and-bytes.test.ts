import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import type { ImportDataOptions, RecordRow, TypedRow } from '../../../src/client.js';
import { where } from '../../../src/client.js';
import { CheckedFilter } from '../../../src/domain/logic/builder.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { rejection } from '../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';

const ID = 'COHORT-2026-PARTICIPANT-0001';

async function allOf<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

describe('A filter that where builds', () => {
  const filterLogic = where('first_name').eq('Ada');
  const fields = ['record_id', 'first_name'];
  let started: SandboxClient;
  before(async () => (started = await startSandboxClient(createDemoStudy({ participants: 30 }))));
  after(() => started.close());

  const exports: readonly [string, () => Promise<readonly (RecordRow | TypedRow)[]>][] = [
    ['exportRecords', () => started.client.exportRecords({ fields, filterLogic })],
    ['exportRecords with a limit', () => started.client.exportRecords({ fields, filterLogic, limit: 50 })],
    ['streamRecords', () => allOf(started.client.streamRecords({ fields, filterLogic }))],
    [
      'streamRecords in batches',
      () => allOf(started.client.streamRecords({ fields, filterLogic, batchSize: 5 })),
    ],
    ['rows', () => allOf(started.client.rows('enrollment', { filterLogic }))],
    [
      'openRecords',
      async () =>
        JSON.parse(
          await text(await started.client.openRecords({ fields, filterLogic, format: 'json' })),
        ) as RecordRow[],
    ],
  ];
  for (const [name, run] of exports) {
    it(`is sent as text by ${name}`, async () => {
      const names = (await run()).map(({ first_name }) => first_name);

      expect(names.length).to.be.greaterThan(0);
      expect(new Set(names)).to.deep.equal(new Set(['Ada']));
    });
  }

  it('is sent as text by project.openXml', async () => {
    const xml = await text(await started.client.project.openXml({ filterLogic }));

    expect(xml).to.include(`SubjectKey="${ID}"`).and.not.include('SubjectKey="COHORT-2026-PARTICIPANT-0002"');
  });

  it('is checked before it is sent', async () => {
    const wrong = where('agee').gt(3);

    for (const call of [
      started.client.exportRecords({ filterLogic: wrong }),
      started.client.checkFilterLogic(wrong),
    ]) {
      expect(await rejection(call))
        .to.have.property('message')
        .that.includes('[agee] is not a field');
    }
  });

  it('is left to REDCap by the calls of an export that has checked it', async () => {
    const wrong = '[agee] > 3';
    const open = (filterLogic: string | CheckedFilter): Promise<unknown> =>
      started.client.openRecords({ fields, filterLogic, format: 'json' });

    expect(await rejection(open(wrong)))
      .to.have.property('message')
      .that.includes('[agee] is not a field');
    expect(await rejection(open(new CheckedFilter(wrong, []))))
      .to.have.property('message')
      .that.does.not.include('[agee]');
  });

  for (const given of [7, {}, { toString: () => '[age] > 3' }]) {
    it(`is not confused with something else: ${JSON.stringify(given)}`, async () => {
      const refused = started.client.exportRecords({ filterLogic: given as never });

      expect(await rejection(refused)).to.have.property('message', 'filterLogic must be text.');
    });
  }
});

describe('The text of an import', () => {
  let started: SandboxClient;
  before(async () => (started = await startSandboxClient(createDemoStudy({ participants: 30 }))));
  after(() => started.close());

  const options: ImportDataOptions = { format: 'csv' };
  const csv = (age: number): string => `record_id,age\n${ID},${age}\n`;
  const padded = Buffer.from(`##${csv(52)}##`);
  for (const [form, data, age] of [
    ['text', csv(50), '50'],
    ['a Uint8Array', new TextEncoder().encode(csv(51)), '51'],
    ['a part of a buffer', padded.subarray(2, -2), '52'],
    ['a Blob', new Blob([csv(53)]), '53'],
  ] as const) {
    it(`may be ${form}`, async () => {
      expect(await started.client.importData(data, options)).to.deep.equal({ count: 1 });

      expect(await started.client.exportRecords({ records: [ID], fields: ['age'] })).to.deep.equal([{ age }]);
    });
  }

  it('may be nothing else', async () => {
    for (const data of [7, null, {}, [1], new ArrayBuffer(2)]) {
      expect(await rejection(started.client.importData(data as never, options))).to.have.property(
        'message',
        'data must be text, a Uint8Array or a Blob.',
      );
    }
  });
});
