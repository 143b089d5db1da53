import { createClient as generateHeyApi } from '@hey-api/openapi-ts';
import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import createFetchClient from 'openapi-fetch';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate as generateOrval } from 'orval';
import { join } from 'node:path';
import ts from 'typescript';
import { startService, type TestService } from '../support/start-service.js';

const ROOT = join(import.meta.dirname, '../..');
const ID = 'COHORT-2026-PARTICIPANT-0001';

/** What a generated client answers: the names differ, the parts do not. */
interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response?: { readonly status: number };
  readonly status?: number;
}

type Operations = Readonly<Record<string, (...given: unknown[]) => Promise<Answer>>>;

/** What a program that reads and sends JSON leaves out. */
const OTHER_TYPES = [
  'application/x-ndjson',
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

/**
 * Clients that other people's generators make of the documents. Each makes a read, an import and a refused call, and
 * must compile under strict rules.
 */
describe('Clients generated from the OpenAPI document', () => {
  let service: TestService;
  let folder: string;

  before(async () => {
    service = await startService();
    // Inside the project, so that generated code finds the packages it imports.
    folder = await mkdtemp(join(ROOT, 'build', 'generated-clients-'));
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const kind of ['service', 'project'] as const) {
    it(`are made by openapi-typescript for openapi-fetch, from the document of the ${kind}`, async () => {
      const types = join(folder, kind, 'openapi-typescript.ts');
      await write(types, astToString(await openapiTypescript(await documentOf(kind))));
      await write(
        join(folder, kind, 'use-openapi-fetch.ts'),
        `import createClient from 'openapi-fetch';
         import type { paths } from './openapi-typescript.js';
         const client = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl: 'http://127.0.0.1' });
         export const version: Promise<string | undefined> =
           client.GET('/api/v1/project/version').then(({ data }) => data?.data.version);
         export const code: Promise<'upstream_timeout' | undefined> = client
           .GET('/api/v1/records', { params: { query: { fields: ['record_id'], limit: 1 } } })
           .then(({ error }) => (error?.code === 'upstream_timeout' ? error.code : undefined));
         ${kind === 'project' ? PROJECT_USES : ''}`,
      );
      const client = createFetchClient<Record<string, Record<string, never>>>({
        baseUrl: service.url,
        headers: { Authorization: service.authorization },
      });
      const call = client as unknown as Record<'GET' | 'POST', (...given: unknown[]) => Promise<Answer>>;

      expectGenerated(
        await call.GET('/api/v1/records', { params: { query: { fields: ['record_id'], records: [ID] } } }),
        await call.POST('/api/v1/records', { body: { records: [{ record_id: ID, age: '42' }] } }),
        await call.GET('/api/v1/records', { params: { query: { fields: ['No such'] } } }),
      );
      expect(mistakesIn(types, join(folder, kind, 'use-openapi-fetch.ts'))).to.deep.equal([]);
    });

    it(`are made by hey-api, from the document of the ${kind}`, async () => {
      const path = join(folder, kind, 'hey-api');
      await generateHeyApi({
        input: await documentOf(kind),
        output: { path, entryFile: true },
        plugins: ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'],
        logs: { level: 'silent' },
      });
      const sdk = (await import(join(path, 'sdk.gen.ts'))) as Operations;
      const common = { baseUrl: service.url, headers: { Authorization: service.authorization } };
      const call = (name: string, given: object) => operation(sdk, name)({ ...common, ...given });

      expectGenerated(
        await call('exportRecords', { query: { fields: ['record_id'], records: [ID] } }),
        await call('importRecords', { body: { records: [{ record_id: ID, age: '42' }] } }),
        await call('exportRecords', { query: { fields: ['No such'] } }),
      );
      if (kind === 'project') expect(sdk).to.have.property('exportInstrumentRowsDemographics');
      const use = join(folder, kind, 'use-hey-api.ts');
      await write(
        use,
        `import { exportRecords } from './hey-api/sdk.gen.js';
         export const count: Promise<number | undefined> = exportRecords().then(({ data }) => data?.data.length);`,
      );
      expect(mistakesIn(join(path, 'sdk.gen.ts'), use)).to.deep.equal([]);
    });

    it(`are made by orval, from the document of the ${kind}`, async () => {
      const document = join(folder, kind, 'document.json');
      const target = join(folder, kind, 'orval.ts');
      await write(document, JSON.stringify(await documentOf(kind)));
      await generateOrval({
        input: { target: document },
        output: {
          target,
          client: 'fetch',
          baseUrl: service.url,
          override: { contentType: { exclude: OTHER_TYPES } },
        },
      });
      const sdk = (await import(target)) as Operations;
      const options = { headers: { Authorization: service.authorization } };
      const call = (name: string, ...given: unknown[]) => operation(sdk, name)(...given);

      expectGenerated(
        await call('exportRecords', { fields: ['record_id'], records: [ID] }, options),
        await call('importRecords', { records: [{ record_id: ID, age: '42' }] }, {}, options),
        await call('exportRecords', { fields: ['No such'] }, options),
      );
      const use = join(folder, kind, 'use-orval.ts');
      await write(
        use,
        `import { exportRecords } from './orval.js';
         export const count: Promise<number> = exportRecords().then((answer) =>
           answer.status === 200 ? answer.data.data.length : 0,
         );`,
      );
      expect(mistakesIn(target, use)).to.deep.equal([]);
    });
  }

  /** Returns a document as a client would fetch it. */
  async function documentOf(kind: 'service' | 'project'): Promise<never> {
    const path = kind === 'service' ? '/openapi.json' : '/api/v1/project/openapi.json';
    const headers = { Authorization: service.authorization };
    return (await (await fetch(service.url + path, { headers })).json()) as never;
  }
});

const PROJECT_USES = `
  export const age: Promise<number | null | string | undefined> = client
    .GET('/api/v1/instruments/demographics/rows')
    .then(({ data }) => data?.data[0]?.age);
  // @ts-expect-error the project has no such field
  void client.GET('/api/v1/records', { params: { query: { fields: ['agee'] } } });
`;

/** Expects a row of the record, a stored record, and an error with its code. */
function expectGenerated(read: Answer, stored: Answer, refused: Answer): void {
  expect(read.data).to.have.property('data').with.lengthOf(1);
  expect(stored.data).to.have.nested.property('data.count', 1);
  expect(refused.response?.status ?? refused.status).to.equal(400);
  expect(refused.error ?? refused.data).to.include({ code: 'invalid_request' });
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
}

function operation(sdk: Operations, name: string): Operations[string] {
  const found = sdk[name];
  if (found === undefined) throw new Error(`There is no generated function ${name}.`);
  return found;
}

/** @returns the compiler's errors in generated code */
function mistakesIn(...files: string[]): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}
