import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import express from 'express';
import { readFile } from 'node:fs/promises';
import request from 'supertest';
import { createApp } from '../../../src/app/app.js';
import { keyWith, startService, type TestService, PREFIX } from '../../support/start-service.js';

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

  it('lists the names of the project in its OpenAPI document, and a choice that may be empty as one list', async () => {
    const { schemas } = (await get('project/openapi.json')).body.components;

    expect(schemas.FieldNameText.enum).to.include.members(['age', 'languages', 'languages___1']);
    expect(schemas.InstrumentNameText.enum).to.include('demographics');
    expect(schemas.EventNameText).to.not.have.property('enum'); // a classic project has none
    const sex = schemas.Typed_demographics.properties.sex;
    expect(sex.enum).to.include.members(['1', '2', null]);
    expect(sex).to.include({ type: 'string', nullable: true }).and.not.have.property('anyOf');
  });

  it('has a path for the rows of each instrument, which the rows of the service match', async () => {
    const { body: openApi } = await get('project/openapi.json');
    const path = '/api/v1/instruments/demographics/rows';
    const { get: operation } = openApi.paths[path];
    const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema(openApi, 'api');
    const pointer = encodeURIComponent(path.replaceAll('/', '~1'));
    const validate = ajv.compile({
      $ref: `api#/paths/${pointer}/get/responses/200/content/application~1json/schema`,
    });

    expect(operation.operationId).to.equal('ExportInstrumentRows_demographics');
    expect(operation.parameters.map(({ name }: { name: string }) => name)).to.not.include('instrument');
    for (const values of ['raw', 'typed']) {
      const { body } = await get(`instruments/demographics/rows?values=${values}`);
      expect(validate(body), JSON.stringify(validate.errors)).to.equal(true);
      body.data[0].agee = 1;
      expect(validate(body)).to.equal(false);
    }
  });

  it('names the path under which a host application has mounted the service', async () => {
    const { apiKey, authorization } = keyWith('project:read');
    const app = createApp({ capture: service.client, access: { apiKeys: [apiKey] } });
    const host = express().use('/crf', app);

    for (const path of ['/crf/openapi.json', '/crf/api/v1/project/openapi.json']) {
      const { body } = await request(host).get(path).set('Authorization', authorization);
      expect(body.servers).to.deep.equal([{ url: '/crf' }]);
    }
    expect((await get('project/openapi.json')).body.servers).to.deep.equal([{ url: PREFIX || '/' }]);
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
