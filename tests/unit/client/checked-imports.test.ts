import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CheckedImportOptions, CrfClient, ImportRow } from '../../../src/gateways/redcap/crf-client.js';
import { startFaultServer, type FaultServer } from '../../support/fault-server.js';
import { rejection } from '../../support/rejection.js';
import { METADATA } from '../../support/import-faults.js';
import { id } from '../../support/import-project.js';

describe('client.importRecords', () => {
  let redcap: FaultServer;
  let client: CrfClient;
  let counted: (rows: readonly object[]) => string;

  beforeEach(async () => {
    counted = (rows) => JSON.stringify({ count: rows.length });
    redcap = await startFaultServer(({ form }) => {
      const data = form.get('data');
      const body =
        form.get('content') === 'metadata'
          ? METADATA
          : form.get('content') === 'project'
            ? '{"project_id":1,"project_title":"Study","record_autonumbering_enabled":0,"missing_data_codes":""}'
            : data === null
              ? `[{"record_id":"7"}]`
              : counted(JSON.parse(data) as object[]);
      return { kind: 'answer', body };
    });
    client = createCrfClient({ url: redcap.url, token: 'A'.repeat(32) });
  });
  afterEach(async () => {
    client.close();
    await redcap.close();
  });

  const contents = (): (string | null)[] =>
    redcap.requests.map(({ form }) => (form.has('data') ? 'import' : form.get('content')));
  const row = (more: object): ImportRow => ({ record_id: id(1), ...more });

  for (const [what, bad, field] of [
    ['a value of the wrong type', row({ age: 'old' }), 'age'],
    ['an unknown field', row({ agee: '1' }), 'agee'],
    ['a short id of a new record', { record_id: '8' }, 'record_id'],
    ['an id with a blank at its end', { record_id: `${id(1)} ` }, 'record_id'],
    ['an id with a control character', { record_id: `${id(1)}\u0007` }, 'record_id'],
    ['half a surrogate pair in an id', { record_id: `${id(1)}\ud83d` }, 'record_id'],
    ['half a surrogate pair in a text', row({ note: 'x \ud83d' }), 'note'],
  ] as const) {
    it(`IN-12: refuses ${what} by field and row, and sends nothing`, async () => {
      const error = await rejection(client.importRecords([row({ age: '40' }), bad]));

      expect(error).to.include({ code: 'invalid_records' });
      expect((error['errors'] as object[])[0]).to.deep.include({ field, row: 2 });
      expect(contents()).to.not.include('import');
    });
  }

  it('IN-12: suggests the code of a label', async () => {
    const error = await rejection(client.importRecords([row({ sex: 'Female' })]));

    expect((error['errors'] as object[])[0]).to.deep.include({ field: 'sex', suggestion: '1' });
  });

  it('IN-12: warns of values out of range, and stores them', async () => {
    const { count, warnings } = await client.importRecords([row({ age: 200 })]);

    expect(count).to.equal(1);
    expect(warnings?.first[0]).to.include({ record: id(1), field: 'age', rule: 'out_of_range', row: 1 });
  });

  it('IN-12: refuses values out of range if limits refuse, also from typed rows', async () => {
    for (const refused of [
      client.importRecords([row({ age: 200 })], { limits: 'refuse' }),
      client.importRows([{ record_id: id(1), age: 200 }], { limits: 'refuse' }),
    ])
      expect(await rejection(refused)).to.include({ code: 'invalid_records' });
  });

  it('refuses each option that needs the check where there is none, and asks REDCap nothing', async () => {
    const options: CheckedImportOptions = {
      dryRun: true,
      changes: true,
      verify: true,
      only: 'new',
      limits: 'warn',
      keepMisfits: true,
      century: 2000,
      decimalCharacter: ',',
      recordIdMinLength: 1,
    };
    const error = await rejection(client.importRecords([row({ age: 40 })], { ...options, check: false }));

    expect(error['errors']).to.deep.equal(
      Object.keys(options).map((field) => ({ field, message: 'needs check: true' })),
    );
    expect(contents()).to.deep.equal([]);
    const { count } = await client.importRecords([row({ age: 40 })], { check: false, dryRun: false });
    expect(count).to.equal(1);
  });

  it('IN-12: sends nothing in a dry run', async () => {
    const outcome = await client.importRecords([row({ age: 40 })], { dryRun: true });

    expect(outcome).to.deep.equal({ count: 1, dryRun: true });
    expect(contents()).to.not.include('import');
  });

  it('IN-12: makes one call for each import, and those for the project once for them all', async () => {
    for (let at = 0; at < 5; at++) await client.importRecords([row({ age: String(20 + at) })]);

    expect(contents()).to.deep.equal(['metadata', 'project', ...Array.from({ length: 5 }, () => 'import')]);
  });

  it('IN-12: sends many rows in one call', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => ({ record_id: id(at), age: '40' }));

    expect(await client.importRecords(rows)).to.deep.equal({ count: 3_000 });
    expect(contents()).to.deep.equal(['metadata', 'project', 'import']);
  });

  it('IN-12: sends what is not to be checked as it is', async () => {
    await client.importRecords([{ record_id: '8', age: 'old', seen: '31/12/2026' }], {
      ...{ check: false, dateFormat: 'DMY' },
    });

    expect(contents()).to.deep.equal(['import']);
    expect(redcap.requests[0]?.form.get('dateFormat')).to.equal('DMY');
  });

  it('IN-12: refuses options that only a check can follow', async () => {
    for (const option of [
      { dryRun: true },
      { limits: 'refuse' },
      { keepMisfits: true },
      { recordIdMinLength: 1 },
    ])
      expect(
        await rejection(client.importRecords([row({})], { check: false, ...(option as object) })),
      ).to.include({ code: 'invalid_request' });

    expect(contents()).to.deep.equal([]);
  });

  it('IN-11: accepts short ids of records that exist, and of new ones if they may be short', async () => {
    await client.importRecords([{ record_id: '7', age: '40' }]);
    await client.importRecords([{ record_id: '8', age: '40' }], { recordIdMinLength: 1 });

    expect(contents().filter((content) => content === 'import')).to.have.lengthOf(2);
  });

  it('IN-12: fails with the error of its only call', async () => {
    counted = () => '{"error":"SECRET"}';

    const error = await rejection(client.importRecords([row({ age: '40' })]));

    expect(error['code']).to.not.equal('import_interrupted');
    expect(error['code']).to.be.a('string');
  });

  for (const check of [true, false]) {
    it(`UP-09: is incomplete if REDCap counts no record (${check ? 'checked' : 'unchecked'})`, async () => {
      for (const answer of ['{"count":0}', '{"count":3}', '{"count":-1}', '[]', '{"success":true}']) {
        counted = () => answer;

        const error = await rejection(client.importRecords([row({ age: '40' })], { check }));

        expect(error, answer).to.include({ code: 'import_incomplete', sent: 1, isUncertain: true });
      }
    });
  }

  it('UP-09: compares the ids that it asks for with the records', async () => {
    counted = () => JSON.stringify([id(2)]);

    expect(await rejection(client.importRecords([row({ age: '40' })], { returnContent: 'ids' }))).to.include({
      code: 'import_incomplete',
    });
  });

  it('accepts an import in the background, of which REDCap counts nothing', async () => {
    counted = () => '{"success":true}';

    expect(await client.importRecords([row({ age: '40' })], { backgroundProcess: true })).to.include({
      count: 0,
    });
  });
});
