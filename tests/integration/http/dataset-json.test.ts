import { expect } from 'chai';
import request from 'supertest';
import * as z from 'zod';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startService, type TestService } from '../../support/start-service.js';
import { armsStudy } from '../../support/studies.js';

const oid = z.string().min(1);
const TIME = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;

/** The rules of the published JSON schema of Dataset-JSON 1.1, for what is written here. */
const DATASET = z.looseObject({
  datasetJSONCreationDateTime: z.string().regex(TIME),
  datasetJSONVersion: z.string().regex(/^1\.1(?:\.(?:0|[1-9]\d*))?$/),
  itemGroupOID: oid,
  records: z.int().min(0),
  name: oid,
  label: z.string(),
  columns: z.array(
    z.strictObject({
      itemOID: oid,
      name: oid,
      label: z.string(),
      dataType: z.enum([
        'string',
        'integer',
        'decimal',
        'float',
        'double',
        'boolean',
        'datetime',
        'date',
        'time',
        'URI',
      ]),
      keySequence: z.int().min(1).optional(),
    }),
  ),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
});

/** The JSON types that the standard allows for a logical type. */
const JSON_TYPES: Readonly<Record<string, string>> = {
  integer: 'number',
  double: 'number',
  boolean: 'boolean',
};

describe('Dataset-JSON', () => {
  let service: TestService;
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  const get = (path: string) =>
    request(service.server).get(`/api/v1${path}`).set('Authorization', service.authorization);

  before(async () => {
    sandbox = await startTestSandbox(armsStudy());
    service = await startService({ capture: createCrfClient({ url: sandbox.url, token: sandbox.token }) });
  });
  after(async () => {
    await service.close();
    await sandbox.close();
  });

  for (const instrument of ['enrol', 'visit', 'meds'])
    it(`fits the rules of the standard: ${instrument}`, async () => {
      const { status, body } = await get(`/instruments/${instrument}/dataset`);
      expect(status).to.equal(200);
      const { columns, rows, records, name } = DATASET.parse(body);
      expect([name, records]).to.deep.equal([instrument, rows.length]);
      expect(rows).to.have.length.above(0);
      for (const row of rows)
        for (const [at, { dataType }] of columns.entries())
          if (row[at] !== null) expect(typeof row[at]).to.equal(JSON_TYPES[dataType] ?? 'string');
    });

  it('has types, labels, keys, and null for missing data codes', async () => {
    const { body } = await get('/instruments/enrol/dataset');
    const { columns, rows } = DATASET.parse(body);
    const cellsOf = (row: readonly unknown[] = []): Record<string, unknown> =>
      Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]));
    expect(
      columns.filter(({ keySequence }) => keySequence !== undefined).map(({ name }) => name),
    ).to.deep.equal(['id', 'redcap_event_name']);
    expect(columns.find(({ name }) => name === 'redcap_event_name')?.label).to.equal('redcap_event_name');
    expect(columns).to.deep.include({
      itemOID: 'IT.enrol.marks___aa',
      name: 'marks___aa',
      label: 'Marks (First)',
      dataType: 'boolean',
    });
    expect(cellsOf(rows[0])).to.include({
      id: '1',
      alive: true,
      mood: 'g',
      marks___aa: true,
      marks___2: false,
      pain: 40,
    });
    expect(cellsOf(rows[1])).to.include({
      id: '2',
      name: null,
      alive: false,
      mood: null,
      enrol_complete: '0',
    });
  });

  it('has null for a value that does not fit its column, and names its place', async () => {
    const row = sandbox.project.records.get('1')?.row({ event: 'start_arm_1', instrument: '', instance: 0 });
    row?.values.set('pain', 'much');
    try {
      const { body } = await get('/instruments/enrol/dataset?records=1');
      const { columns, rows } = DATASET.parse(body);
      expect(rows[0]?.[columns.findIndex(({ name }) => name === 'pain')]).to.equal(null);
      expect(body.misfits.fields).to.deep.equal({ pain: 1 });
    } finally {
      row?.values.set('pain', '40');
    }
  });

  it('has no rows where a selection has none, and refuses an unknown instrument', async () => {
    const { body } = await get('/instruments/meds/dataset?records=2');
    expect(DATASET.parse(body)).to.deep.include({ records: 0, rows: [] });
    const unknown = await get('/instruments/medz/dataset');
    expect([unknown.status, unknown.body.errors]).to.deep.equal([
      404,
      [
        {
          field: 'instrument',
          name: 'medz',
          code: 'unknown_name',
          parameters: { kind: 'instrument', meant: 'meds' },
          message: 'is not an instrument of this project; did you mean meds?',
        },
      ],
    ]);
  });
});
