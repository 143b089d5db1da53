import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import { RecordExporter, type ExportRequest } from '../../../../src/records/export/record-exporter.js';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import { createDemoStudy } from '../../../../src/sandbox/demo-study/demo-study.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import {
  RecordWriter,
  type ImportOutcome,
  type ImportRequest,
} from '../../../../src/services/record-writer.js';
import { field } from '../../../support/import-project.js';
import { STUDY } from '../../../support/random-import-study.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';

/** Random studies in which every event, instrument and form has a label of its own. */
const LABELLED: fc.Arbitrary<Study> = STUDY.map((study) => ({
  ...study,
  instruments: study.instruments.map(({ name }) => ({ name, label: `The form ${name}` })),
  events: study.events.map((event, at) => ({ ...event, label: `Event ${at}` })),
}));

const FORMS = [
  { format: 'csv', type: 'flat', headers: 'raw' },
  { format: 'csv', type: 'flat', headers: 'label' },
  { format: 'csv', type: 'eav', headers: 'raw' },
  { format: 'json', type: 'flat', headers: 'raw' },
  { format: 'json', type: 'eav', headers: 'raw' },
  { format: 'ndjson', type: 'flat', headers: 'raw' },
] as const;

describe('An export of labels', function () {
  this.timeout(120_000);

  for (const { format, type, headers } of FORMS)
    for (const exportCheckboxLabel of [false, true])
      it(`comes back without a change (${type} ${format}, header ${headers}, checkbox labels ${exportCheckboxLabel})`, async () => {
        await fc.assert(
          fc.asyncProperty(LABELLED, async (study) => {
            const sandbox = await startSandboxClient(study);
            try {
              const isLabelled = headers === 'label' && { rawOrLabelHeaders: 'label' as const };
              const body = await exported(sandbox.client, {
                ...{ format, type, rawOrLabel: 'label', exportCheckboxLabel },
                ...isLabelled,
              });
              const outcome = await compared(sandbox.client, body, {
                format,
                type,
                rawOrLabel: 'label',
                ...isLabelled,
              });
              expect(outcome.changes?.first).to.deep.equal([]);
            } finally {
              await sandbox.close();
            }
          }),
          { numRuns: 15 },
        );
      });
});

describe('An import of labels', () => {
  const fields = [
    field('record_id', { label: 'Record' }),
    field('sex', { type: 'radio', label: 'Sex', choicesOrCalculations: '1, Female | 2, Male' }),
    field('cause', {
      type: 'radio',
      label: 'Cause',
      choicesOrCalculations: '3, Other | 9, Other | 4, 5 | 5, 4',
    }),
    field('sure', { type: 'truefalse', label: 'Sure' }),
    field('first', { label: 'Day' }),
    field('second', { label: 'Day' }),
    field('site', { type: 'sql', label: 'Site', choicesOrCalculations: 'select 1' }),
  ];
  const study = (): Study => ({
    ...createDemoStudy({ participants: 0 }),
    ...{ fields, instruments: [{ name: 'visit', label: 'Visit' }], events: [], arms: [], mappings: [] },
    ...{ repeating: [], rows: [{ record_id: ID }] },
  });
  const ID = 'COHORT-2026-PARTICIPANT-000001';

  async function tried(csv: string, more: Partial<ImportRequest> = {}): Promise<ImportOutcome> {
    const sandbox = await startSandboxClient(study());
    try {
      return await compared(sandbox.client, Buffer.from(csv), {
        format: 'csv',
        rawOrLabel: 'label',
        ...more,
      });
    } finally {
      await sandbox.close();
    }
  }

  async function messages(csv: string, more: Partial<ImportRequest> = {}): Promise<string[]> {
    const error = await rejection(tried(csv, more));
    return (error['errors'] as { field: string; message: string }[]).map(
      (each) => `${each.field} ${each.message}`,
    );
  }

  it('refuses a code that is no label, and says which label has it', async () => {
    expect(await messages(`record_id,sex\n${ID},2\n`)).to.deep.equal([
      'sex must be one of Female (1), Male (2); did you mean "Male" (2)?',
    ]);
  });

  it('takes a label that looks like the code of another choice for the label', async () => {
    const { changes } = await tried(`record_id,cause\n${ID},5\n`);
    expect(changes?.first.map((change) => change.new)).to.deep.equal(['4']);
  });

  it('refuses the label of several choices, by its codes', async () => {
    expect(await messages(`record_id,cause\n${ID},Other\n`)).to.deep.equal([
      'cause has the label of several choices (3, 9): import codes instead of labels, or give the choices different labels',
    ]);
  });

  it('reads TRUE as a spreadsheet writes it, and leaves out the labels of a query', async () => {
    const { changes, ignored } = await tried(`record_id,sure,site\n${ID},TRUE,North\n`);
    expect(changes?.first.map((change) => change.new)).to.deep.equal(['1']);
    expect(ignored).to.deep.equal([{ field: 'site', reason: 'query', values: 1 }]);
  });

  it('refuses a header that several fields have, unless the name stands there', async () => {
    const labels = { rawOrLabelHeaders: 'label' } as const;
    expect(await messages(`Record,Sure,Day,Sex,Day\n${ID},,a,,b\n`, labels)).to.deep.equal([
      'column 3 has the label of several fields (first, second): write the name of the field there',
      'column 5 has the label of several fields (first, second): write the name of the field there',
    ]);
    const { changes } = await tried(`Record,second,first\n${ID},a,b\n`, labels);
    expect(changes?.first.map((change) => [change.field, change.new])).to.have.deep.members([
      ['second', 'a'],
      ['first', 'b'],
    ]);
  });

  it('tells the fields of one label by their neighbours, if these are those of an export', async () => {
    const labels = { rawOrLabelHeaders: 'label' } as const;
    const header = 'Record,Sex,Cause,Sure,Day,Day,Site,Complete?';
    const { changes } = await tried(`${header}\n${ID},,,,a,b,,\n`, labels);
    expect(changes?.first.map((change) => [change.field, change.new])).to.have.deep.members([
      ['first', 'a'],
      ['second', 'b'],
    ]);
    // One of them was taken away: which one, the column behind the other does not tell.
    expect(await messages(`Record,Sex,Cause,Sure,Day,Site\n${ID},,,,a,\n`, labels)).to.deep.equal([
      'column 5 has the label of several fields (first, second): write the name of the field there',
    ]);
  });

  it('refuses a field that two columns name', async () => {
    expect(await messages(`Record,Sex,Sex\n${ID},Male,Male\n`, { rawOrLabelHeaders: 'label' })).to.deep.equal(
      ['column 3 is sex once more, as column 2 is'],
    );
  });

  it('is refused to be numbered by REDCap in a project that REDCap does not number', async () => {
    const sandbox = await startSandboxClient(study());
    try {
      const csv = Buffer.from(`record_id,sex\n${ID},Male\n`);
      const error = await rejection(
        new RecordWriter(sandbox.client).write(
          Readable.from([csv], { objectMode: false }),
          { format: 'csv', rawOrLabel: 'label', forceAutoNumber: true },
          { scope: 'tester' },
        ),
      );
      expect(error['errors']).to.deep.equal([
        {
          field: 'forceAutoNumber',
          message:
            'needs a project in which REDCap numbers the records; in this one the ids are those of the file',
        },
      ]);
    } finally {
      await sandbox.close();
    }
  });
});

function compared(client: CrfClient, body: Buffer, request: ImportRequest): Promise<ImportOutcome> {
  return new RecordWriter(client, {}, undefined, client).write(
    Readable.from([body], { objectMode: false }),
    { ...request, dryRun: true, changes: true },
    { scope: 'tester' },
    { mayReadRecords: true },
  );
}

async function exported(client: CrfClient, request: ExportRequest): Promise<Buffer> {
  const body = await new RecordExporter(client).open(request);
  const sink = new PassThrough();
  const [written] = await Promise.all([buffer(sink), body.pipeTo(sink)]);
  return written;
}
