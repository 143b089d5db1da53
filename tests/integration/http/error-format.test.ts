import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { PROBLEMS, type ProblemCode } from '../../../src/domain/errors/problem-table.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { API, OPERATIONS } from '../../support/api-operations.js';
import { prefilledRequest, type PrefilledOperation } from '../../support/prefilled-request.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { keyWith } from '../../support/start-service.js';

/** What a client may ask for, or nothing in particular. */
const ACCEPTED = ['application/problem+json', 'application/json', '*/*', undefined] as const;

interface Fault {
  readonly authorization?: string;
  readonly query?: string;
  /** Whether the body breaks off. */
  readonly isBad?: boolean;
  /** Whether every operation that requires a scope must refuse it. */
  readonly isRefused?: boolean;
}

describe('Every operation', () => {
  const own = keyWith();
  const every = keyWith(...SCOPES);
  let running: ServiceWithAuth;

  before(async () => {
    // Nothing listens there, so that every operation that asks REDCap fails too.
    const capture = createCrfClient({ url: 'http://127.0.0.1:1/api/', token: 'A'.repeat(32) });
    running = await startServiceWithAuth({}, { capture, access: { apiKeys: [own.apiKey, every.apiKey] } });
  });
  after(() => running.close());

  /** Requests of an operation that are refused, by the name of their fault. */
  const faults: Readonly<Record<string, Fault>> = {
    'without a credential': { isRefused: true },
    'with a key without scopes': { authorization: own.authorization, isRefused: true },
    'with a parameter that it does not have': {
      authorization: every.authorization,
      query: 'no-such-parameter=1',
      isRefused: true,
    },
    'with a body that cannot be read': { authorization: every.authorization, isBad: true },
    'while REDCap is away': { authorization: every.authorization },
  };

  async function expectProblem(answer: Response): Promise<void> {
    const problem = (await answer.json()) as Record<string, unknown>;
    const { code = '' } = problem;
    const known = PROBLEMS[code as ProblemCode];

    expect(known, `the code ${String(code)}`).to.not.equal(undefined);
    expect(answer.headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
    expect(problem).to.include({
      type: `urn:crf-service:problem:${String(code)}`,
      title: known.title,
      status: answer.status,
      instance: answer.headers.get('x-request-id'),
    });
    expect(known.status).to.equal(answer.status);
    if (answer.status < 500) expect(problem).to.have.property('detail').that.is.a('string').and.is.not.empty;
  }

  for (const { method, template, scopes } of OPERATIONS) {
    const operation = API.paths[template]?.[method.toLowerCase()] as unknown as PrefilledOperation;
    const { target, headers, body } = prefilledRequest(template, operation, API.components.schemas);
    for (const [fault, { query, authorization, isBad, isRefused = false }] of Object.entries(faults)) {
      it(`ERR-01: has the one format of errors for ${method} ${template} ${fault}`, async () => {
        for (const accept of ACCEPTED) {
          const answer = await fetch(
            `${running.service.url}${target}${query === undefined ? '' : `${target.includes('?') ? '&' : '?'}${query}`}`,
            {
              method,
              redirect: 'manual',
              headers: {
                ...headers,
                accept: accept ?? '',
                ...(authorization !== undefined && { authorization }),
                ...(isBad && { 'content-type': 'application/json' }),
              },
              ...(method !== 'GET' && { body: isBad ? '{"' : (body ?? '') }),
            },
          );
          if (answer.status < 400) {
            // What needs no scope is open to everybody, and not everything asks REDCap or reads a body.
            expect(scopes.length > 0 && isRefused).to.equal(false);
            await answer.arrayBuffer();
          } else await expectProblem(answer);
        }
      });
    }
  }

  for (const [what, path, init, code] of [
    ['a route that does not exist', '/api/v1/nowhere', {}, 'route_not_found'],
    ['a page that does not exist', '/nowhere', {}, 'route_not_found'],
    ['a method that a route does not have', '/api/v1/log', { method: 'PUT' }, 'method_not_allowed'],
    ['a path that cannot be decoded', '/api/v1/records/%FF', {}, 'malformed_request'],
  ] as const) {
    it(`ERR-01: is not needed for the one format of errors: ${what}`, async () => {
      const answer = await fetch(running.service.url + path, {
        ...init,
        headers: { authorization: every.authorization },
      });

      expect(((await answer.clone().json()) as { code: string }).code).to.equal(code);
      await expectProblem(answer);
    });
  }
});
