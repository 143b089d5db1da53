import { expect } from 'chai';
import { buffer } from 'node:stream/consumers';
import { createCrfClient } from '../../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import { callLog } from '../../../../src/cli/printing/call-log.js';
import { DEMO_TOKEN } from '../../../../src/sandbox/demo-study/demo-study.js';
import { rejection } from '../../../support/rejection.js';
import { startTestSandbox } from '../../../support/start-sandbox.js';

describe('callLog, which crf --verbose prints', () => {
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  before(async () => (sandbox = await startTestSandbox()));
  after(() => sandbox.close());

  async function linesOf(work: (client: CrfClient) => Promise<unknown>): Promise<string> {
    let text = '';
    const observer = callLog({ write: (line) => (text += line) }, () => 0);
    const client = createCrfClient({ url: sandbox.url, token: DEMO_TOKEN, observer });
    try {
      await work(client);
    } finally {
      client.close();
    }
    return text;
  }

  it('names the operation, its outcome, the number of rows and the duration', async () => {
    const text = await linesOf((client) => client.users.list());

    expect(text).to.match(/^REDCap user: ok, \d+ rows?, 0\.00 s\n$/);
  });

  it('names the action if there is one, and the number of records stored', async () => {
    const [row] = await sandboxRows();

    const text = await linesOf((client) => client.importRecords([row ?? {}], { check: false }));

    expect(text).to.equal('REDCap record/import: ok, 1 row, 0.00 s\n');
  });

  it('writes the line of a streamed call when the stream closes', async () => {
    const text = await linesOf(async (client) => buffer(await client.openRecords({ format: 'csv' })));

    expect(text).to.match(/^REDCap record(\/export)?: ok, 0\.00 s\n$/m);
  });

  it('shows no value and no name from the request, even when the call fails', async () => {
    const text = await linesOf((client) =>
      rejection(client.exportRecords({ records: ['SENTINEL-1'], fields: ['sentinel_field'] })),
    );

    expect(text).to.match(/: upstream_rejected, 0\.00 s\n/);
    expect(text.toLowerCase()).to.not.include('sentinel');
  });

  it('reports a retry, and clears the progress bar on a terminal first', () => {
    let text = '';
    const log = callLog({ isTTY: true, write: (line) => (text += line) });

    log.sent('record', true, 'export')('ok');

    expect(text).to.equal('\r\u001b[KREDCap record/export: trying again\n');
  });

  async function sandboxRows(): Promise<Readonly<Record<string, string | number>>[]> {
    const client = createCrfClient({ url: sandbox.url, token: DEMO_TOKEN });
    try {
      const [first] = await client.exportRecords({ fields: ['record_id'], limit: 1 });
      return first === undefined ? [] : [first];
    } finally {
      client.close();
    }
  }
});
