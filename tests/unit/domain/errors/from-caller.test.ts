import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { createApp, createAuthService } from '../../../../src/index.js';
import { createCrfClient } from '../../../../src/client.js';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import { createServiceClient } from '../../../../src/client/service/create-service-client.js';
import { startTestSandbox } from '../../../support/start-sandbox.js';
import { rejection } from '../../../support/rejection.js';
import type { RedcapSandbox } from '../../../../src/sandbox/redcap/redcap-sandbox.js';

const HERE = fileURLToPath(import.meta.url);

/** The first line of a stack that is not a part of the message. */
const firstFrame = ({ stack = '' }: Error): string | undefined =>
  stack.split('\n').find((line) => line.startsWith('    at '));

describe('The stack of an error', () => {
  let sandbox: RedcapSandbox & { readonly token: string };
  let client: CrfClient;
  let away: CrfClient;
  before(async () => {
    sandbox = await startTestSandbox();
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
    away = createCrfClient({ url: 'http://127.0.0.1:1/api/', token: sandbox.token });
  });
  after(async () => {
    client.close();
    away.close();
    await sandbox.close();
  });

  const calls: readonly [string, () => Promise<unknown>][] = [
    ['an option does not exist', () => client.exportRecords({ fiels: ['age'] } as never)],
    ['a filter names no field', () => client.exportRecords({ filterLogic: '[agee] > 3' })],
    ['REDCap refuses a call', () => client.exportRecords({ fields: ['nonesuch'] })],
    [
      'REDCap refuses an import',
      () => client.importRecords([{ record_id: '1', age: 'x' }], { check: false }),
    ],
    ['REDCap cannot be reached', () => away.getVersion()],
    ['a method of a group fails', () => away.arms.export()],
    ['a call is cancelled', () => client.arms.export({ signal: AbortSignal.abort() })],
    [
      'a stream of rows fails',
      async () => {
        for await (const row of away.streamRecords()) void row;
      },
    ],
    [
      'rows of an instrument fail',
      async () => {
        for await (const row of client.rows('nonesuch')) void row;
      },
    ],
    [
      'a stream of the log fails',
      async () => {
        for await (const entry of away.logs.stream()) void entry;
      },
    ],
  ];

  for (const [when, call] of calls) {
    it(`begins at the line of the caller if ${when}`, async () => {
      const error = await rejection(call());

      expect(firstFrame(error)).to.include(HERE);
      expect(error.stack?.startsWith(`${error.name}: ${error.message}\n`)).to.be.true;
    });
  }

  for (const [name, create] of [
    ['createCrfClient', () => createCrfClient({ url: 'x', token: 'y' })],
    ['createServiceClient', () => createServiceClient({ baseUrl: 'x' })],
    ['createApp', () => createApp({} as never)],
    ['createAuthService', () => createAuthService({} as never)],
  ] as const) {
    it(`begins at the line of the caller if ${name} refuses its options`, () => {
      let error = new Error('none');
      try {
        create();
      } catch (thrown) {
        error = thrown as Error;
      }

      expect(error.name).to.equal('ConfigurationError');
      expect(firstFrame(error)).to.include(HERE);
    });
  }
});
