import { expect } from 'chai';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import { FILE_WRITES } from '../../../../src/cli/conformance/writes.js';
import type { Probe } from '../../../../src/cli/conformance/operation.js';
import { rejection } from '../../../support/rejection.js';

describe('The conformance check of the file repository', () => {
  it('deletes its file even if the download fails', async () => {
    const { client, files } = clientWithoutDownloads();

    const error = await rejection(run(client, 'x'));

    expect(error.message).to.equal('The connection broke off.');
    expect([...files]).to.deep.equal([]);
  });

  it('does not delete files that it did not upload', async () => {
    const { client, files } = clientWithoutDownloads();
    for (const name of ['other-run.txt', 'crf-conformance.txt'])
      await client.fileRepository.put({ name, contentType: 'text/plain', bytes: [] });

    await rejection(run(client, 'this-run'));

    expect([...files.values()]).to.deep.equal(['other-run.txt', 'crf-conformance.txt']);
  });
});

/** A client whose file repository stores, lists and deletes files, but fails to return them. */
function clientWithoutDownloads() {
  const files = new Map<number, string>();
  let last = 0;
  const fileRepository = {
    put: ({ name }: { name: string }) => Promise.resolve(files.set((last += 1), name)),
    list: () => Promise.resolve([...files].map(([id, name]) => ({ kind: 'file', id, name }))),
    get: () => Promise.reject(new Error('The connection broke off.')),
    delete: (id: number) => Promise.resolve(files.delete(id)),
  };
  return { client: { fileRepository } as unknown as CrfClient, files };
}

function run(client: CrfClient, scratchRecord: string): Promise<unknown> {
  const [operation] = FILE_WRITES;
  return Promise.resolve(operation?.run({ client, scratchRecord } as unknown as Probe));
}
