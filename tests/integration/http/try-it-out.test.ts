import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import { startWholeService } from '../../support/start-whole-service.js';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly example?: unknown;
  readonly default?: unknown;
}

type Schemas = Readonly<Record<string, Schema>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>>;
  };
}

interface Trial {
  readonly name: string;
  readonly status: number;
  readonly text: string;
}

/** Run last, in this order, so that nothing is requested after it was deleted. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Run after these, in this order, because other operations would find a changed study. */
const LAST: readonly string[] = [
  'post /api/v1/records/{recordId}/rename',
  'post /api/v1/records/delete',
  'delete /api/v1/records/{recordId}',
  'put /api/v1/project/fields',
];
/** The record of the examples. It is stored again before each operation that needs it. */
const RECORD = { record_id: 'COHORT-2026-PARTICIPANT-0001' };

/**
 * Operations for which the demo study has no data (files, reports, surveys, events, randomization), or that need a
 * signed-in person. Their answers must say so, and what to do.
 */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'get /api/v1/auth/me': /unauthenticated/,
  'get /api/v1/auth/sessions': /unauthenticated/,
  'delete /api/v1/auth/account': /unauthenticated/,
  'delete /api/v1/auth/sessions/{id}': /unauthenticated/,
  'get /api/v1/records/{recordId}/surveys/{instrument}/link': /Surveys are not enabled/,
  'get /api/v1/records/{recordId}/surveys/{instrument}/return-code': /Surveys are not enabled/,
  'get /api/v1/records/{recordId}/surveys/queue-link': /Surveys are not enabled/,
  'get /api/v1/surveys/{instrument}/access-code': /Surveys are not enabled/,
  'get /api/v1/surveys/{instrument}/participants': /Surveys are not enabled/,
  'get /api/v1/files/{documentId}': /No file is stored there/,
  'get /api/v1/files/{documentId}/info': /No file is stored there/,
  'get /api/v1/records/{recordId}/files/{field}': /No file is stored there/,
  'get /api/v1/reports/{reportId}': /is not a report of this project/,
  'post /api/v1/records/{recordId}/randomize': /upstream_rejected/,
  // `POST /records` has already used the new name.
  'post /api/v1/records/{recordId}/rename': /upstream_rejected/,
  'put /api/v1/project/role-assignments': /upstream_rejected/,
  'put /api/v1/project/instrument-event-mappings': /upstream_rejected/,
  'put /api/v1/project/repeating-instruments': /upstream_rejected/,
  'delete /api/v1/project/events/{event}': /upstream_rejected/,
};

/** May be refused, because a very busy machine reports that it is not ready. */
const AT_TIMES_REFUSED: Readonly<Record<string, RegExp>> = { 'get /health/ready': /not_ready/ };

/** The value that the reference page puts into a field: an example, or else a default. */
function prefilled({ example, examples, schema }: Omit<Parameter, 'name' | 'in'>, schemas: Schemas): unknown {
  const said = Object.values(examples ?? {})[0]?.value ?? example;
  return said ?? (schema && valueOf(schema, schemas));
}

function valueOf(schema: Schema, schemas: Schemas): unknown {
  const { $ref, allOf = [], example, default: standard } = schema;
  const named = schemas[$ref?.split('/').at(-1) ?? ''];
  const parts = [...(named ? [named] : []), ...allOf].map((part) => valueOf(part, schemas));
  return example ?? standard ?? parts.find((part) => part !== undefined);
}

/** The required fields of an operation that the page does not prefill. */
function leftEmpty({ parameters = [], requestBody }: Operation, schemas: Schemas): string[] {
  const bodies = requestBody?.required === true ? Object.entries(requestBody.content) : [];
  return [
    ...parameters.filter(({ required }) => required === true).map((field) => [field.name, field] as const),
    ...bodies,
  ]
    .filter(([, field]) => (prefilled(field, schemas) ?? '') === '')
    .map(([name]) => name);
}

/** The request that “Try it out” sends for an operation without any changes. */
function requestOf(path: string, operation: Operation, schemas: Schemas) {
  const { parameters = [], requestBody, responses } = operation;
  const [accept = '*/*'] = Object.keys(
    Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {},
  );
  let target = path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = { accept, 'sec-fetch-site': 'same-origin' };
  for (const parameter of parameters) {
    const value = prefilled(parameter, schemas);
    const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined).map(String);
    if (parameter.in === 'path')
      target = target.replace(`{${parameter.name}}`, encodeURIComponent(values[0] ?? ''));
    else if (parameter.in === 'query') for (const one of values) query.append(parameter.name, one);
    else if (parameter.in === 'header' && values[0] !== undefined) headers[parameter.name] = values[0];
  }
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = content === undefined ? undefined : prefilled(content, schemas);
  if (mediaType !== undefined) headers['content-type'] = mediaType;
  const body = typeof example === 'string' ? example : JSON.stringify(example);
  return { target: `${target}${query.size === 0 ? '' : `?${query.toString()}`}`, headers, body };
}

describe('Every operation of the reference page, tried out with its prefilled values', function () {
  this.timeout(60_000);
  let service: RunningServer;
  let trials: Trial[];
  let empty: string[];

  before(async () => {
    service = await startWholeService();
    const { paths, components } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>;
      components: { schemas: Schemas };
    };
    const operations = METHODS.flatMap((method) =>
      Object.entries(paths).flatMap(([path, { [method]: operation }]) =>
        operation === undefined ? [] : [{ name: `${method} ${path}`, method, path, operation }],
      ),
    ).sort((one, other) => LAST.indexOf(one.name) - LAST.indexOf(other.name));
    trials = [];
    empty = operations.flatMap(({ name, operation }) =>
      leftEmpty(operation, components.schemas).map((field) => `${name}: ${field}`),
    );
    for (const { name, method, path, operation } of operations) {
      if (LAST.includes(name)) await storeRecord();
      const { target, headers, body } = requestOf(path, operation, components.schemas);
      const answer = await fetch(service.url + target, {
        method: method.toUpperCase(),
        headers,
        redirect: 'manual',
        ...(body !== undefined && { body }),
      });
      trials.push({ name, status: answer.status, text: (await answer.text()).slice(0, 500) });
    }
  });
  after(() => service.stop());

  async function storeRecord(): Promise<void> {
    const { status } = await fetch(`${service.url}/api/v1/records`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ records: [RECORD] }),
    });
    expect(status).to.equal(200);
  }

  it('has a value for every required field', () => {
    expect(empty).to.deep.equal([]);
  });

  it('succeeds, or states what is missing', () => {
    const bad = trials.filter(({ name, status, text }) => {
      if (status < 300) return name in REFUSED;
      return !(REFUSED[name] ?? AT_TIMES_REFUSED[name])?.test(text);
    });

    expect(bad).to.deep.equal([]);
    expect(trials.length).to.be.above(50);
    const names = trials.map(({ name }) => name);
    expect(names).to.include.members([...Object.keys(REFUSED), ...Object.keys(AT_TIMES_REFUSED), ...LAST]);
  });
});
