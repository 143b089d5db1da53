import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import request from 'supertest';
import { startService, type TestService } from '../../support/start-service.js';

describe('The description of a project for programs', () => {
  let service: TestService;
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(service.server).get(`/api/v1/${path}`).set('Authorization', service.authorization).set(headers);

  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const values of ['raw', 'typed'] as const) {
    it(`has a schema that accepts the project's own ${values} rows`, async () => {
      const { body: schema } = await get(`project/schema?values=${values}`);
      const { body } = await get(`instruments/demographics/rows?values=${values}`);
      const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

      expect(body.data).to.have.length(30);
      for (const row of body.data) expect(validate(row), JSON.stringify(validate.errors)).to.equal(true);
      expect(validate({ ...body.data[0], agee: 1 })).to.equal(false);
    });
  }

  it("has an OpenAPI document with the project's own rows", async () => {
    const { body } = await get('project/openapi.json');
    const { Typed_demographics: row, RecordRowResponse: record } = body.components.schemas;

    expect(row.properties.age).to.deep.include({ nullable: true });
    expect(record.properties).to.include.keys('age', 'languages___1', 'demographics_complete');
    expect(JSON.stringify(body)).to.not.match(/"const":|"type":"null"/);
    expect(await new Validator().validate(body)).to.deep.include({ valid: true });
  });

  for (const [name, read] of [
    ["the project's", async () => (await get('project/openapi.json')).body],
    ["the service's", async () => JSON.parse(await readFile('build/openapi.json', 'utf8'))],
  ] as const) {
    it(`describes text and typed rows of records as they are, in ${name} OpenAPI document`, async () => {
      const openApi: Record<string, unknown> = await read();
      const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema(openApi, 'api');
      const validate = ajv.compile({ $ref: 'api#/components/schemas/RecordResponse' });

      for (const query of [
        '',
        'values=typed',
        'values=typed&labels=true&exportSurveyFields=true',
        'shape=nested',
      ]) {
        const record = `records/COHORT-2026-PARTICIPANT-0002?${query}`;
        const { body, status } = await get(record);
        expect(status, query).to.equal(200);
        expect(validate(body), `${query} ${JSON.stringify(validate.errors)}`).to.equal(true);
      }
    });
  }

  it('has TypeScript types', async () => {
    const { text, headers } = await get('project/types', { Accept: 'text/plain' });

    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(text).to.include('export interface Demographics {');
  });

  for (const path of [
    'project/schema',
    'project/schema?values=raw',
    'project/openapi.json',
    'project/types',
  ]) {
    it(`answers 304 to a client that already has ${path}`, async () => {
      const first = await get(path, { Accept: '*/*' });
      const again = await get(path, { Accept: '*/*', 'If-None-Match': String(first.headers['etag']) });
      const other = await get(path, { Accept: '*/*', 'If-None-Match': '"another"' });

      expect(first.headers['etag']).to.match(/^"[\w-]{22}"$/);
      expect([again.status, again.text]).to.deep.equal([304, '']);
      expect(other.status).to.equal(200);
    });
  }
});
