import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { IN_ORDER_OF_USE } from '../../../scripts/openapi/order-operations.js';
import { PROBLEMS } from '../../../src/domain/errors/problem-table.js';
import {
  EVENT_NAME_PATTERN,
  EVENT_NAME_MAX_LENGTH,
  FIELD_NAME_MAX_LENGTH,
  FIELD_NAME_PATTERN,
  INSTRUMENT_NAME_MAX_LENGTH,
  INSTRUMENT_NAME_PATTERN,
} from '../../../src/domain/identifiers/names.js';
import { RECORD_ID_MAX_LENGTH, RECORD_ID_PATTERN } from '../../../src/domain/identifiers/record-id.js';
import { MAX_FILTER_LENGTH } from '../../../src/domain/logic/tokens.js';
import { DOOR, OPERATIONS, type ApiOperation } from '../../support/api-operations.js';

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  security?: Record<string, string[]>[];
  tags: string[];
  responses: Record<string, { $ref?: string }>;
  'x-required-scopes'?: string[];
}

const source = readFileSync(new URL('../../../build/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(source) as {
  info: { description: string };
  tags: { name: string }[];
  'x-common-responses': Record<string, { $ref: string }>;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<
      string,
      {
        pattern?: string;
        maxLength?: number;
        description?: string;
        properties?: Record<string, { enum?: string[] }>;
      }
    >;
    examples: Record<string, { value: { detail?: string; errors?: object[] } }>;
  };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(path === DOOR ? {} : methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: { ...operation, responses: responsesOf(operation.operationId) },
    listed: operation.responses,
  })),
);

function responsesOf(id: string): ApiOperation['responses'] {
  return OPERATIONS.find((operation) => operation.id === id)?.responses ?? {};
}

describe('The OpenAPI document', () => {
  it('limits every filterLogic to the length up to which it is parsed', () => {
    const places: unknown[] = [];
    JSON.stringify(document, (name, value: { name?: string; schema?: object } | undefined) => {
      if (name === 'filterLogic') places.push(value);
      if (value?.name === 'filterLogic') places.push(value.schema);
      return value;
    });

    expect(places).to.have.lengthOf.at.least(4);
    for (const place of places)
      expect(JSON.stringify(place)).to.include('"$ref":"#/components/schemas/FilterLogicText"');
    expect(document.components.schemas['FilterLogicText']?.maxLength).to.equal(MAX_FILTER_LENGTH);
  });

  it('is valid against the OpenAPI 3.0 schema', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));

    expect(errors ?? []).to.deep.equal([]);
    expect(valid).to.be.true;
  });

  it('has at most 400 KB, because operations share their errors', () => {
    expect(Buffer.byteLength(source)).to.be.at.most(400_000);
  });

  it('has the operations in the order of use: by tag, and the records from the export on', () => {
    const all = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { tags }]) => ({ tag: tags[0], name: `${method} ${path}` })),
    );

    const tags = document.tags.map(({ name }) => name);
    expect([...new Set(all.map(({ tag }) => tag))]).to.deep.equal(tags);
    expect(tags.slice(0, 2)).to.deep.equal(['Project', 'Records']);
    const records = all.filter(({ tag }) => tag === 'Records').map(({ name }) => name);
    expect(records.slice(0, 6)).to.deep.equal([
      'get /api/v1/records',
      'post /api/v1/records',
      'get /api/v1/records/{record}',
      'patch /api/v1/records/{record}',
      'delete /api/v1/records/{record}',
      'post /api/v1/records/query',
    ]);
    const paths = Object.keys(document.paths).map((path) => path.replace('/api/v1', ''));
    for (const known of IN_ORDER_OF_USE)
      expect(
        paths.some((path) => `${path}/`.startsWith(`${known}/`)),
        known,
      ).to.be.true;
  });

  it('states once the errors of every operation that requires a scope, which lists one only to say more', () => {
    const common = document['x-common-responses'];
    const scoped = operations.filter(({ operation }) => operation['x-required-scopes'] !== undefined);

    expect(Object.keys(common).join(' ')).to.equal('401 403 404 406 408 414 421 429 431 500 501 502 503 504');
    for (const status of Object.keys(common))
      expect(document.info.description).to.include(`\n| ${status} | \``);
    for (const { name, operation, listed } of scoped) {
      expect(listed, name).to.include.keys('400');
      expect(operation.responses, name).to.include.keys(...Object.keys(common));
      for (const [status, { $ref }] of Object.entries(listed))
        expect($ref, `${name} ${status}`).to.not.equal(common[status]?.$ref ?? '');
    }
  });

  it('lists the codes of all problems, and has an example of each that an operation can send', () => {
    const { Problem } = document.components.schemas;

    expect(Problem?.properties?.code?.enum).to.deep.equal(Object.keys(PROBLEMS));
    for (const [code, { value }] of Object.entries(document.components.examples)) {
      expect(value).to.include({ code, title: PROBLEMS[code as keyof typeof PROBLEMS].title });
    }
    const { invalid_request, invalid_records } = document.components.examples;
    for (const example of [invalid_request, invalid_records]) {
      expect(example?.value.detail).to.be.a('string');
      expect(example?.value.errors).to.have.lengthOf(1);
    }
  });

  for (const [schema, pattern, maxLength] of [
    ['FieldNameText', FIELD_NAME_PATTERN, FIELD_NAME_MAX_LENGTH],
    ['InstrumentNameText', INSTRUMENT_NAME_PATTERN, INSTRUMENT_NAME_MAX_LENGTH],
    ['EventNameText', EVENT_NAME_PATTERN, EVENT_NAME_MAX_LENGTH],
    ['RecordIdText', RECORD_ID_PATTERN, RECORD_ID_MAX_LENGTH],
  ] as const) {
    it(`has the pattern and the length of the parser for ${schema}`, () => {
      expect(document.components.schemas[schema]).to.include({ pattern: pattern.source, maxLength });
    });
  }

  it('prefills the limit of an export, so that its answer appears immediately', () => {
    const parameters = document.paths['/api/v1/records']?.get?.parameters ?? [];

    expect(parameters.find(({ name }) => name === 'limit')).to.include({ example: 10 });
  });

  it('says in one operation that REDCap’s own API is there, whose errors are none of this API’s', () => {
    const { post, ...others } = document.paths[DOOR] ?? {};

    expect(others).to.deep.equal({});
    expect(Object.keys(post?.requestBody?.content ?? {})).to.deep.equal([
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]);
    expect(JSON.stringify(post?.responses)).to.not.include('problem+json');
  });

  for (const { name, operation } of operations) {
    it(`documents that ${name} refuses proxies and other hosts if the service is open on loopback`, () => {
      expect(operation.responses['403']?.description).to.include('proxied_request');
      expect(operation.responses['421']?.description).to.include('unexpected_host');
    });

    it(`describes ${name}: a summary, a description, every parameter and every status`, () => {
      expect(operation.summary).to.be.a('string');
      expect(operation.description?.length ?? 0).to.be.greaterThan(30);
      for (const parameter of operation.parameters ?? [])
        expect(parameter.description, parameter.name).to.be.a('string');
      for (const [status, { description }] of Object.entries(operation.responses)) {
        expect(description, status).to.be.a('string').and.not.empty;
      }
    });

    if (/^(List|Export|Query|CheckQuality|GetReport)/.test(operation.operationId))
      it(`says in which order ${name} lists`, () => {
        expect(operation.description).to.match(/\border\b|newest entry first/);
      });

    it(`lists the headers of every answer of ${name}`, () => {
      for (const [status, { headers }] of Object.entries(operation.responses)) {
        const expected = ['X-Request-Id', ...(['429', '503'].includes(status) ? ['Retry-After'] : [])];
        if (name.includes('/api/')) expected.push('RateLimit', 'RateLimit-Policy');
        expect(headers, status).to.include.keys(...expected);
      }
    });

    it(`has examples of the requests and errors of ${name}`, () => {
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {}))
        expect(media.example, type).to.not.be.undefined;
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        const problem = content?.['application/problem+json'];
        if (problem === undefined) continue;
        expect(Object.keys(problem.examples ?? {}), status).to.deep.equal(
          description.split(':')[0]?.split(', '),
        );
      }
    });

    it(`documents that ${name} can answer 400, 406 (except for pages), 414 and 500`, () => {
      const expected = ['400', '414', '500', ...(name === 'GET /login' ? [] : ['406'])];
      expect(operation.responses).to.include.keys(...expected);
    });

    it(`describes every error of ${name} as a problem with existing codes`, () => {
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || name === 'GET /health/ready') continue;
        expect(Object.keys(content ?? {}), status).to.deep.equal(['application/problem+json']);
        for (const code of description.split(':')[0]?.split(', ') ?? []) {
          expect(PROBLEMS, code).to.have.property(code);
          expect(PROBLEMS[code as keyof typeof PROBLEMS].status, code).to.equal(Number(status));
        }
      }
    });
  }
});
