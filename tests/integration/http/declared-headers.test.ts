import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { responsesOf } from '../../../scripts/openapi/common-responses.js';
import { DOOR } from '../../support/api-operations.js';
import { prefilledRequest, type PrefilledOperation, type Schemas } from '../../support/prefilled-request.js';
import { startService, type TestService } from '../../support/start-service.js';

interface Answer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: unknown;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, PrefilledOperation & { security?: object[] }>>>
  >;
  readonly components: {
    readonly schemas: Schemas;
    readonly responses: Readonly<Record<string, Answer>>;
  };
  readonly 'x-common-responses': Readonly<Record<string, Answer>>;
}

const document = JSON.parse(
  readFileSync(new URL('../../../build/openapi.json', import.meta.url), 'utf8'),
) as Document;
const { paths, components } = document;

/** Headers of HTTP itself, and those that protect every answer (HDR-01). */
const EVERYWHERE: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'cache-control',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-robots-tag',
]);

/** Sent only in some cases: on pages of an export, with a filter, for a download, for a repeated request. */
const AT_TIMES: ReadonlySet<string> = new Set([
  'link',
  'x-records-changed',
  'x-filter-logic-note',
  'content-disposition',
  'idempotent-replayed',
  'set-cookie',
  'clear-site-data',
  'www-authenticate',
]);

/** @returns the headers that the document declares for an answer, in lower case */
function declared(operation: PrefilledOperation, status: number): Set<string> {
  const answer = responsesOf<Answer>(document, operation)[String(status)];
  const named = components.responses[answer?.$ref?.split('/').at(-1) ?? ''] ?? answer;
  return new Set(Object.keys(named?.headers ?? {}).map((name) => name.toLowerCase()));
}

describe('The headers of every operation', () => {
  let service: TestService;

  before(async () => {
    service = await startService({ limits: { callsPerMinute: 10_000, failedAuthPerMinute: 10_000 } });
  });
  after(() => service.close());

  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (path === '/login' || path.startsWith('/api/v1/auth/')) continue; // needs a sign-in
      if (path === DOOR) continue; // answers as REDCap does
      for (const credential of ['a valid API key', 'an unknown API key', 'no API key'] as const) {
        it(`are those of the document for ${method.toUpperCase()} ${path} with ${credential}`, async () => {
          const { target, headers, body } = prefilledRequest(path, operation, components.schemas);
          const answer = await fetch(service.url + target, {
            method: method.toUpperCase(),
            redirect: 'manual',
            headers: { ...headers, ...authorizationOf(credential) },
            ...(body !== undefined && { body }),
          });
          await answer.arrayBuffer();

          const sent = [...answer.headers.keys()].filter((name) => !EVERYWHERE.has(name));
          const expected = declared(operation, answer.status);
          expect([...expected], String(answer.status)).to.include.members(sent);
          expect(sent).to.include.members([...expected].filter((name) => !AT_TIMES.has(name)));
        });
      }
    }
  }

  function authorizationOf(credential: string): Record<string, string> {
    if (credential === 'a valid API key') return { authorization: service.authorization };
    return credential === 'no API key' ? {} : { authorization: `Bearer crf_${'x'.repeat(43)}` };
  }

  it('say for a rejected key that it is not valid, and for no key only how to send one', async () => {
    const version = `${service.url}/api/v1/project/version`;
    const rejected = await fetch(version, { headers: authorizationOf('an unknown API key') });
    const missing = await fetch(version);

    expect(rejected.headers.get('www-authenticate')).to.equal(
      'Bearer realm="crf-service", error="invalid_token"',
    );
    expect(missing.headers.get('www-authenticate')).to.equal('Bearer realm="crf-service"');
    expect(await rejected.json())
      .to.have.property('detail')
      .that.includes('unknown or has expired');
    expect(await missing.json())
      .to.have.property('detail')
      .that.includes('Send an API key');
  });
});
