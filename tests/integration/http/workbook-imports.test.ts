import { expect } from 'chai';
import { say } from '../../../src/domain/errors/sentences.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { runCrf } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import type { SignInClient } from '../../support/sign-in-client.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ID = 'COHORT-2026-PARTICIPANT-0001';
const OTHER = 'COHORT-2026-PARTICIPANT-0002';
const HEADER = ['record_id', 'consent_date', 'weight_kg', 'age'];

const workbookOf = (sheets: Readonly<Record<string, SheetData>>): Promise<Buffer> =>
  writeXlsxFile(Object.entries(sheets).map(([sheet, data]) => ({ sheet, data }))).toBuffer();

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

describe('A workbook over HTTP', function () {
  this.timeout(60_000);
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let client: CrfClient;
  let running: ServiceWithAuth;
  let person: SignInClient;
  let folder: string;
  let visits: Buffer;

  before(async () => {
    sandbox = await startTestSandbox();
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
    running = await startServiceWithAuth(
      {},
      { capture: client, access: { sessionScopes: ['project:read', 'records:read', 'records:write'] } },
    );
    person = await running.signedIn('grace');
    folder = await mkdtemp(join(tmpdir(), 'crf-workbook-imports-'));
    visits = await workbookOf({
      readme: [['Please read']],
      visits: [
        HEADER,
        [ID, { value: new Date('2026-03-04'), type: Date, format: 'dd/mm/yyyy' }, 80, 40],
        [],
        [OTHER, '5.3.2026', '81,5', 41],
      ],
      mistakes: [HEADER, [ID, 'banana', 80, 'forty']],
    });
  });
  after(async () => {
    await running.close();
    client.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function post(
    workbook: Buffer,
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const answer = await person.send(`/api/v1/records?${new URLSearchParams(query).toString()}`, {
      method: 'POST',
      headers: { 'content-type': XLSX, 'sec-fetch-site': 'same-origin', ...headers },
      body: new Uint8Array(workbook),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  async function tryFile(
    workbook: Buffer,
    fields: Readonly<Record<string, string>>,
    path = '/try-file',
  ): Promise<{ status: number; text: string }> {
    const body = new FormData();
    // As the form sends them, whatever is chosen.
    for (const [name, value] of Object.entries({ encoding: 'windows-1252', ...fields }))
      body.set(name, value);
    body.set('file', new Blob([new Uint8Array(workbook)]), 'Visits.XLSX');
    const answer = await person.send(path, {
      ...{ method: 'POST', headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' }, body },
    });
    return { status: answer.status, text: await answer.text() };
  }

  async function crf(...args: string[]): Promise<{ exitCode: unknown; stdout: string; stderr: string }> {
    await writeFile(join(folder, 'visits.xlsx'), visits);
    return runCrf(['import', 'visits.xlsx', '--dry-run', ...args], {
      cwd: folder,
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
    });
  }

  const stored = async (): Promise<unknown[][]> => {
    const rows = await client.exportRecords({ records: [ID, OTHER], fields: HEADER });
    return rows.map((row) => HEADER.map((field) => row[field]));
  };
  const GERMAN = { sheet: 'visits', dateFormat: 'DMY', decimalCharacter: ',' };

  it('IN-19: changes what the command line says it changes, and the page shows the same', async () => {
    const { status, body } = await post(visits, { ...GERMAN, dryRun: 'true', changes: 'true' });
    expect(status, JSON.stringify(body)).to.equal(200);
    const { changes } = body['data'] as { changes: { first: { new: string }[] } };
    const values = changes.first.map((change) => change.new);
    expect(values).to.include.members(['2026-03-04', '80.0', '2026-03-05', '81.5']);

    const { stdout, stderr } = await crf(
      ...['--diff', '--json', '--sheet', 'visits', '--date-format', 'DMY', '--decimal-character', ','],
    );
    const said = JSON.parse(stdout) as { changes: object };
    expect(said.changes, stderr).to.deep.equal(changes);

    const page = await tryFile(visits, GERMAN);
    expect(page.status).to.equal(200);
    expect(page.text).to.include('2 records could be stored');
    expect(page.text).to.match(/<input id="sheet"[^>]*value="visits"/);
  });

  for (const [kind, header, sex, query] of [
    ['codes', ['record_id', 'sex', 'lives_alone', 'languages___1'], '1', {}],
    [
      'labels',
      ['Record ID', 'Sex', 'Lives alone', 'Languages spoken at home (choice=French)'],
      'Female',
      { rawOrLabel: 'label', rawOrLabelHeaders: 'label' },
    ],
  ] as const)
    it(`IN-19: has ${kind}, and TRUE and FALSE for yes/no and boxes`, async () => {
      const record = `COHORT-2026-PARTICIPANT-09-${kind}`;
      const sheet = await workbookOf({ rows: [[...header], [record, sex, false, true]] });
      const { status, body } = await post(sheet, query);
      expect(status, JSON.stringify(body)).to.equal(200);
      const fields = ['sex', 'lives_alone', 'languages'];
      const [row] = await client.exportRecords({ records: [record], forms: ['demographics'], fields });
      expect(row).to.include({ sex: '1', lives_alone: '0', languages___1: '1' });
    });

  it('gets the message of the command line for each mistake, with the row of the sheet', async () => {
    const { status, body } = await post(visits, { sheet: 'mistakes', dryRun: 'true' });
    expect([status, body['code']]).to.deep.equal([422, 'invalid_records']);
    const errors = body['errors'] as { line: number; field: string; message: string }[];
    expect(errors.map(({ line, field }) => [line, field])).to.deep.equal([
      [2, 'consent_date'],
      [2, 'age'],
    ]);
    // As the same text in a CSV.
    expect(errors[1]?.message).to.equal('must be a whole number');

    const { stderr } = await crf('--sheet', 'mistakes');
    const page = await tryFile(visits, { sheet: 'mistakes' });
    expect(page.status).to.equal(422);
    for (const { field, message } of errors) {
      expect(stderr).to.include(`${field} ${message}`);
      expect(page.text).to.include(message);
    }
  });

  it('loses no value of a column without a name, on any surface', async () => {
    const workbook = await workbookOf({
      rows: [
        ['record_id', 'age'],
        [ID, 44, 80],
      ],
    });
    const rule = 'has a value in column 3, to which the header gives no name';
    const { status, body } = await post(workbook, { dryRun: 'true', changes: 'true' });
    expect([status, body['detail']]).to.deep.equal([400, `Record number 1 of the body (line 2) ${rule}.`]);

    await writeFile(join(folder, 'nameless.xlsx'), workbook);
    const { exitCode, stderr } = await runCrf(['import', 'nameless.xlsx', '--diff'], {
      cwd: folder,
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
    });
    expect([exitCode, stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes(rule),
    );

    const page = await tryFile(workbook, {});
    expect(page.status).to.equal(422);
    expect(page.text).to.include(rule);
  });

  it('is stored once for an Idempotency-Key, and another sheet is another request', async () => {
    const key = { 'idempotency-key': 'workbook-0001' };
    const first = await post(visits, GERMAN, key);
    expect(first.status, JSON.stringify(first.body)).to.equal(200);
    expect(await stored()).to.deep.equal([
      [ID, '2026-03-04', '80.0', '40'],
      [OTHER, '2026-03-05', '81.5', '41'],
    ]);

    expect(await post(visits, GERMAN, key)).to.deep.equal(first);
    const other = await post(visits, { ...GERMAN, sheet: 'mistakes' }, key);
    expect([other.status, other.body['code']]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('is stored by the page', async () => {
    const workbook = await workbookOf({
      rows: [
        ['record_id', 'age'],
        [ID, 44],
      ],
    });
    const { status, text } = await tryFile(workbook, {}, '/try-file?store=yes');

    expect(status).to.equal(200);
    expect(text).to.include('Stored 1 record in REDCap.');
    const [[record, , , age] = []] = await stored();
    expect([record, age]).to.deep.equal([ID, '44']);
  });

  it('IN-20: is refused if it is too large, unpacks to too much, has values far apart or is none', async () => {
    const packed = await workbookOf({ rows: [['record_id'], ['x'.repeat(30_000)]] });
    const long = await workbookOf({
      rows: [
        HEADER,
        ...Array.from({ length: 1100 }, (_, at): SheetData[number] => [`${at}`.padEnd(32_000, 'y')]),
      ],
    });
    const wide = await workbookOf({
      rows: [
        Array.from({ length: 5000 }, (_, at) => `column_${at}`),
        ...Array.from({ length: 200 }, (): SheetData[number] => ['x']),
      ],
    });
    const refusals: readonly [workbook: Buffer, rule: string][] = [
      [Buffer.concat([packed, Buffer.alloc(2 * 1024 * 1024)]), 'is a workbook of more than 2 MB'],
      [long, 'has more than 32 MB when it is unpacked'],
      [wide, 'has values so far apart that a sheet has more than 1000000 cells'],
      [Buffer.from('record_id,age\n'), 'is not a workbook (.xlsx) that can be read'],
      [packed.subarray(0, 400), 'is not a workbook (.xlsx) that can be read'],
    ];
    for (const [workbook, rule] of refusals) {
      const { status, body } = await post(workbook, { dryRun: 'true' });
      expect([status, body['code']], rule).to.deep.equal([400, 'malformed_request']);
      expect(body['detail']).to.include(`The body ${rule}`).and.include('save the sheet as CSV');
      const page = await tryFile(workbook, {});
      expect(page.status, rule).to.equal(422);
      expect(page.text).to.include(`The file ${rule}`);
    }
    expect((await post(visits, { ...GERMAN, dryRun: 'true' })).status).to.equal(200);
  });

  it('is read in turn with others, of which one cannot be read', async () => {
    const broken = post(visits.subarray(0, 400), { dryRun: 'true' });
    const good = ['visits', 'visits', 'visits'].map(() => post(visits, { ...GERMAN, dryRun: 'true' }));

    expect((await broken).status).to.equal(400);
    expect((await Promise.all(good)).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
  });

  it('refuses a sheet that it does not have, options of text, and a sheet of a CSV', async () => {
    const refused = async (query: Readonly<Record<string, string>>, type = XLSX): Promise<unknown> => {
      const { status, body } = await post(visits, { dryRun: 'true', ...query }, { 'content-type': type });
      return [status, body['errors']];
    };
    const only = (field: string, message: string): unknown => [400, [{ field, message }]];
    expect(await refused({ sheet: 'Visits 2' })).to.deep.equal([
      400,
      [{ field: 'sheet', ...say('sheet_name', { sheets: ['readme', 'visits', 'mistakes'] }) }],
    ]);
    expect(await refused({ csvDelimiter: ';' })).to.deep.equal(only('csvDelimiter', 'needs a CSV body'));
    expect(await refused({ encoding: 'utf-8' })).to.deep.equal(only('encoding', 'needs a body of text'));
    expect(await refused({ values: 'typed' })).to.deep.equal(only('values', 'must be raw for a workbook'));
    expect(await refused({ sheet: 'visits' }, 'text/csv')).to.deep.equal(
      only('sheet', 'needs a workbook (.xlsx)'),
    );
  });

  it('is no data dictionary', async () => {
    const answer = await fetch(`${running.service.url}/api/v1/project/fields`, {
      method: 'PUT',
      headers: { 'content-type': XLSX, authorization: running.service.authorization },
      body: new Uint8Array(visits),
    });
    expect(answer.status).to.equal(415);
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).to.equal('Send the body as application/json or text/csv.');
  });

  it('is named among the types of an import', async () => {
    const answer = await fetch(`${running.service.url}/api/v1/records`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', authorization: running.service.authorization },
      body: 'id,age',
    });
    expect(answer.status).to.equal(415);
    expect(((await answer.json()) as { detail: string }).detail).to.include(XLSX);
  });
});
