import { expect } from 'chai';
import type { CallOptions } from '../../../src/client.js';
import { CancelledError } from '../../../src/client.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { rejection } from '../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';

const RECORD = 'COHORT-2026-PARTICIPANT-0001';

describe('A call that its signal cancels', () => {
  let started: SandboxClient;
  before(async () => (started = await startSandboxClient(createDemoStudy({ participants: 30 }))));
  after(() => started.close());

  const calls: readonly [string, (options: CallOptions) => Promise<unknown>][] = [
    ['getVersion', (options) => started.client.getVersion(options)],
    ['ping', (options) => started.client.ping(options)],
    ['exportRecords', (options) => started.client.exportRecords(options)],
    ['openRecords', (options) => started.client.openRecords({ ...options, format: 'csv' })],
    [
      'importRecords',
      (options) =>
        started.client.importRecords([{ record_id: RECORD, age: '4' }], { ...options, check: false }),
    ],
    ['importRows', (options) => started.client.importRows([{ record_id: RECORD, age: 4 }], options)],
    ['getRecord', (options) => started.client.getRecord(RECORD, options)],
    ['arms.list', (options) => started.client.arms.list(options)],
    ['log.open', (options) => started.client.log.open(options)],
    [
      'streamRecords',
      async (options) => {
        for await (const row of started.client.streamRecords(options)) void row;
      },
    ],
    [
      'streamRecords in batches',
      async (options) => {
        for await (const row of started.client.streamRecords({ ...options, batchSize: 3 })) void row;
      },
    ],
    [
      'rows',
      async (options) => {
        for await (const row of started.client.rows('demographics', options)) void row;
      },
    ],
  ];

  for (const [name, call] of calls) {
    for (const [when, abort] of [
      ['before it', (controller: AbortController, reason: Error) => controller.abort(reason)],
      [
        'during it',
        (controller: AbortController, reason: Error) => setImmediate(() => controller.abort(reason)),
      ],
    ] as const) {
      it(`fails with the signal's reason as the cause: ${name}, ${when}`, async () => {
        const [controller, reason] = [new AbortController(), new Error('The person left the page.')];
        abort(controller, reason);

        const error = await rejection(call({ signal: controller.signal }));

        expect(error).to.be.instanceOf(CancelledError);
        expect(error.cause).to.equal(reason);
      });
    }
  }
});
