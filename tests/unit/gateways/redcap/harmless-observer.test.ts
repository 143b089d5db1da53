import { expect } from 'chai';
import { buffer } from 'node:stream/consumers';
import { createCrfClient } from '../../../../src/client/create-crf-client.js';
import type { CallObserver } from '../../../../src/gateways/redcap/observe.js';
import { DEMO_TOKEN } from '../../../../src/sandbox/demo-study/demo-study.js';
import { startTestSandbox } from '../../../support/start-sandbox.js';

const ignore = (): void => undefined;
function fail(): never {
  throw new Error('The metrics are full.');
}
const QUIET: CallObserver = { began: () => ignore, sent: () => ignore, circuitChanged: ignore };

describe('A client whose observer fails', () => {
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  before(async () => (sandbox = await startTestSandbox()));
  after(() => sandbox.close());

  for (const [when, observer] of [
    ['when a call begins', { ...QUIET, began: fail }],
    ['when a call ends', { ...QUIET, began: () => fail }],
    ['when a request is sent', { ...QUIET, sent: fail }],
    ['when a request is answered', { ...QUIET, sent: () => fail }],
    ['later', { ...QUIET, began: () => () => Promise.resolve().then(fail) }],
  ] as const) {
    it(`makes calls and reads streams as if it did not, ${when}`, async () => {
      const client = createCrfClient({ url: sandbox.url, token: DEMO_TOKEN, observer });
      try {
        expect(await client.getVersion()).to.match(/^\d+\./);
        expect(await buffer(await client.openRecords({ format: 'csv', fields: ['record_id'] }))).to.not.be
          .empty;
      } finally {
        client.close();
      }
    });
  }
});
