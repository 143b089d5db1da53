import { expect } from 'chai';
import { REACH } from '../../../scripts/coverage-page.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { UpstreamForbiddenError } from '../../../src/domain/errors/upstream-errors.js';
import { ALL_RIGHTS, type RightName } from '../../../src/sandbox/redcap/rights.js';
import { CALLS, fullStudy, RIGHTS } from '../../support/calls-by-pair.js';
import { startFaultServer, type FaultServer } from '../../support/fault-server.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';

const CREATION = 'project/import';
const SUPER_TOKEN = 'A'.repeat(64);
const NEW_RECORD = 'record/import (a new record)';
const NEW_PROJECT = { title: 'New', purpose: 0 };

/** Makes every call with all rights but one. @returns the calls that were refused, with the missing right */
async function refusedWithout(right: RightName): Promise<{ pair: string; right: string }[]> {
  const study = fullStudy();
  const rights = { ...ALL_RIGHTS, [right]: 0 };
  const users = study.users.map((user) => (user.username === 'data.manager' ? { ...user, rights } : user));
  const opened = await startSandboxClient({ ...study, users });
  const refused: { pair: string; right: string }[] = [];
  for (const [pair, [, call]] of Object.entries(CALLS)) {
    const error: unknown = await call(opened.client).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof UpstreamForbiddenError) refused.push({ pair, right: error.right });
  }
  await opened.close();
  return refused;
}

describe('The calls of the client, by content and action', () => {
  it('cover every pair for which docs/reference/coverage.md names a method', () => {
    expect([...Object.keys(CALLS).filter((name) => name !== NEW_RECORD), CREATION].toSorted()).to.deep.equal(
      Object.keys(REACH).toSorted(),
      'CALLS in tests/support/calls-by-pair.ts',
    );
  });

  describe('on the wire', () => {
    let server: FaultServer;

    before(async () => {
      server = await startFaultServer(() => ({ kind: 'answer', status: 400, body: '{"error":"no"}' }));
    });
    after(() => server.close());

    const pairsSent = async (pair: string): Promise<string[]> => {
      server.forget();
      const isCreation = pair === CREATION;
      const client = createCrfClient({ url: server.url, token: isCreation ? SUPER_TOKEN : 'A'.repeat(32) });
      const call = isCreation ? client.project.create(NEW_PROJECT) : CALLS[pair]?.[1](client);
      await call?.catch(() => undefined);
      client.close();
      return server.requests.map(({ form }) => {
        const [content, action] = [form.get('content') ?? '', form.get('action') ?? 'export'];
        // Contents with a single action are named without it.
        return pair.includes('/') ? `${content}/${action}` : content;
      });
    };

    for (const pair of Object.keys(REACH)) {
      it(`${pair}: \`${REACH[pair]?.client}\` sends it, and nothing else first`, async () => {
        expect((await pairsSent(pair))[0]).to.equal(pair);
      });
    }
  });

  describe('with all rights', () => {
    let opened: SandboxClient;

    before(async () => {
      opened = await startSandboxClient(fullStudy(), { superToken: SUPER_TOKEN });
    });
    after(() => opened.close());

    it('all succeed', async () => {
      for (const [pair, [, call]] of Object.entries(CALLS)) {
        const outcome = await call(opened.client).then(
          () => 'done',
          (error: Error) => `${pair}: ${error.message}`,
        );
        expect(outcome).to.equal('done');
      }
    });
  });

  for (const [letter, [right, name]] of Object.entries(RIGHTS)) {
    const pairs = Object.entries(CALLS).flatMap(([pair, [needs]]) =>
      needs.split(' + ').includes(letter) ? [pair] : [],
    );

    it(`are refused as upstream_forbidden without ${name}, and no others are`, async () => {
      const refused = await refusedWithout(right);

      expect(refused.map(({ pair }) => pair)).to.have.members(pairs);
      expect([...new Set(refused.map((refusal) => refusal.right))]).to.deep.equal([name]);
    });
  }
});
