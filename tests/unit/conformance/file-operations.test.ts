import { expect } from 'chai';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { FILE_WRITES } from '../../../src/conformance/file-operations.js';
import type { Probe } from '../../../src/conformance/operation.js';
import { rejection } from '../../support/rejection.js';

describe('The conformance check of the file repository', () => {
  it('deletes its file even if the download fails', async () => {
    const files = new Map<number, string>();
    const fileRepository = {
      upload: ({ name }: { name: string }) => Promise.resolve(files.set(7, name)),
      list: () => Promise.resolve([...files].map(([id, name]) => ({ kind: 'file', id, name }))),
      download: () => Promise.reject(new Error('The connection broke off.')),
      delete: (id: number) => Promise.resolve(files.delete(id)),
    };
    const client = { fileRepository } as unknown as CrfClient;
    const [operation] = FILE_WRITES;

    const error = await rejection(
      Promise.resolve(operation?.run({ client, scratchRecord: 'x' } as unknown as Probe)),
    );

    expect(error.message).to.equal('The connection broke off.');
    expect([...files]).to.deep.equal([]);
  });

  it('leaves alone the file of another run', async () => {
    const files = new Map<number, string>();
    let last = 0;
    const fileRepository = {
      upload: ({ name }: { name: string }) => Promise.resolve(files.set((last += 1), name)),
      list: () => Promise.resolve([...files].map(([id, name]) => ({ kind: 'file', id, name }))),
      download: () => Promise.reject(new Error('The connection broke off.')),
      delete: (id: number) => Promise.resolve(files.delete(id)),
    };
    const client = { fileRepository } as unknown as CrfClient;
    await client.fileRepository.upload({ name: 'other-run.txt', contentType: 'text/plain', bytes: [] });
    await client.fileRepository.upload({ name: 'crf-conformance.txt', contentType: 'text/plain', bytes: [] });
    const [operation] = FILE_WRITES;

    await rejection(
      Promise.resolve(operation?.run({ client, scratchRecord: 'this-run' } as unknown as Probe)),
    );

    expect([...files.values()]).to.deep.equal(['other-run.txt', 'crf-conformance.txt']);
  });
});
