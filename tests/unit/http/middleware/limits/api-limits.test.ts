import { expect } from 'chai';
import type { RequestHandler } from 'express';
import request from 'supertest';
import { UnauthenticatedError } from '../../../../../src/domain/errors/access-errors.js';
import {
  createApiLimits,
  type ApiLimitsOptions,
} from '../../../../../src/http/middleware/limits/api-limits.js';
import { BoundedStore } from '../../../../../src/http/middleware/limits/bounded-store.js';
import type { LimitStoreFactory } from '../../../../../src/http/middleware/limits/limit-store.js';
import { appBehind } from '../../../../support/app-behind.js';

type Call = readonly [caller: string, network: string];

const HERE = '192.0.2.1';
const ELSEWHERE = '192.0.2.2';

/** The header `Caller` names the caller: `anonymous`, or the name of a key. `stranger` has no valid credential. */
const callerOf: ApiLimitsOptions['callerOf'] = ({ headers }) => {
  const name = String(headers.caller);
  if (name === 'stranger') return Promise.reject(new UnauthenticatedError());
  if (name === 'unknown') return Promise.reject(new Error('The identity backend is down.'));
  return Promise.resolve({ kind: name === 'anonymous' ? name : 'api-key', name, scopes: [] });
};

const limits = (options: Partial<ApiLimitsOptions> = {}) => createApiLimits({ callerOf, ...options });

/** Returns the outcome of each of some consecutive calls: `passed`, or the limit that refused it. */
async function outcomes(handler: RequestHandler, ...calls: readonly Call[]): Promise<string[]> {
  const app = appBehind(handler);
  const seen: string[] = [];
  for (const [caller, network] of calls) {
    const { status, headers } = await request(app).get('/').set({ caller, 'X-Forwarded-For': network });
    seen.push(status === 200 ? 'passed' : `${status} ${headers['ratelimit-policy']}`);
  }
  return seen;
}

/** Calls the handler until it refuses, without HTTP, and returns how many of at most 700 calls passed. */
async function callsUntilRefused(handler: RequestHandler, caller: string): Promise<number> {
  const response = { appendHeader: () => response };
  const incoming = { ip: HERE, headers: { caller } };
  for (let calls = 0; calls < 700; calls += 1) {
    try {
      await handler(incoming as never, response as never, () => undefined);
    } catch {
      return calls;
    }
  }
  return 700;
}

describe('createApiLimits', () => {
  it('RATE-01: allows 600 calls a minute, and 60 without a valid credential, by default', async () => {
    const { byCaller, byNetwork } = limits();

    expect(await callsUntilRefused(byCaller, 'key')).to.equal(600);
    expect(await callsUntilRefused(byCaller, 'stranger')).to.equal(60);
    expect(await callsUntilRefused(byNetwork, 'stranger')).to.equal(600);
  });

  it('RATE-01: counts each key by itself, from any network', async () => {
    const { byCaller } = limits({ callsPerMinute: 1 });

    expect(await outcomes(byCaller, ['key', HERE], ['other', HERE], ['key', ELSEWHERE])).to.deep.equal([
      'passed',
      'passed',
      '429 "api-minute"; q=1; w=60',
    ]);
  });

  it('RATE-01: counts callers in open mode by network', async () => {
    const { byCaller } = limits({ callsPerMinute: 1 });
    const calls: Call[] = [HERE, ELSEWHERE, HERE].map((network) => ['anonymous', network]);

    expect(await outcomes(byCaller, ...calls)).to.deep.equal([
      'passed',
      'passed',
      '429 "api-minute"; q=1; w=60',
    ]);
  });

  it('RATE-01: counts calls without a valid credential by network, and apart from the others', async () => {
    const { byCaller } = limits({ callsPerMinute: 1, failedAuthPerMinute: 2 });
    const calls: Call[] = [HERE, HERE, HERE, ELSEWHERE].map((network) => ['stranger', network]);

    expect(await outcomes(byCaller, ...calls, ['anonymous', HERE])).to.deep.equal([
      'passed',
      'passed',
      '429 "failed-auth-minute"; q=2; w=60',
      'passed',
      'passed',
    ]);
  });

  it('RATE-01: counts a caller who cannot be determined by network, but not as a failure', async () => {
    const { byCaller } = limits({ callsPerMinute: 2, failedAuthPerMinute: 1 });
    const calls: Call[] = [HERE, HERE, HERE].map((network) => ['unknown', network]);

    expect(await outcomes(byCaller, ...calls)).to.deep.equal([
      'passed',
      'passed',
      '429 "api-minute"; q=2; w=60',
    ]);
  });

  it('RATE-01: counts by network, whoever calls, where no credential is needed', async () => {
    const { byNetwork } = limits({ callsPerMinute: 2, failedAuthPerMinute: 1 });
    const calls: Call[] = [HERE, HERE, HERE, ELSEWHERE].map((network) => ['stranger', network]);

    expect(await outcomes(byNetwork, ...calls)).to.deep.equal([
      'passed',
      'passed',
      '429 "api-minute"; q=2; w=60',
      'passed',
    ]);
  });

  it('RATE-06: passes a call on only after a shared store has counted it', async () => {
    const asked: string[] = [];
    const stores: LimitStoreFactory = ({ name, limit }) => {
      const store = new BoundedStore(limit);
      return {
        get: (key) => Promise.resolve(store.get(key)),
        increment: (key) => {
          asked.push(`${name} ${key}`);
          return Promise.resolve(store.increment(key));
        },
      };
    };
    const { byCaller, byNetwork } = limits({ callsPerMinute: 1, failedAuthPerMinute: 1, stores });

    for (const handler of [byCaller, byNetwork]) {
      const caller = handler === byCaller ? 'key' : 'stranger';
      expect(await outcomes(handler, [caller, HERE], [caller, HERE])).to.deep.equal([
        'passed',
        '429 "api-minute"; q=1; w=60',
      ]);
    }
    expect(await outcomes(byCaller, ['stranger', HERE], ['stranger', HERE])).to.deep.equal([
      'passed',
      '429 "failed-auth-minute"; q=1; w=60',
    ]);
    expect(new Set(asked)).to.deep.equal(
      new Set(['api-minute key', `api-minute ${HERE}`, `failed-auth-minute ${HERE}`]),
    );
  });

  it('RATE-01: counts nothing if the limits are 0', async () => {
    const { byCaller, byNetwork } = limits({ callsPerMinute: 0, failedAuthPerMinute: 0 });
    const calls: Call[] = [
      ['key', HERE],
      ['stranger', HERE],
    ];

    expect(await outcomes(byCaller, ...calls)).to.deep.equal(['passed', 'passed']);
    expect(await outcomes(byNetwork, ...calls)).to.deep.equal(['passed', 'passed']);
  });
});
