import { expect } from 'chai';
import type { CrfCalls, RepositoryEntry } from '../../../../src/gateways/redcap/crf-client.js';
import { addToRepository } from '../../../../src/services/files/file-service.js';

const entry = (id: number, name: string, kind: RepositoryEntry['kind'] = 'file'): RepositoryEntry => ({
  ...{ kind, id, name },
  ...{ role: '', dag: '' },
});

/** A repository whose folder has these entries before and after the upload; none after means that the list fails. */
function repository(before: readonly RepositoryEntry[], after?: readonly RepositoryEntry[]) {
  const calls: string[] = [];
  const fileRepository = {
    list: () => {
      const entries = calls.includes('put') ? after : before;
      calls.push('list');
      return entries === undefined ? Promise.reject(new Error('gone')) : Promise.resolve([...entries]);
    },
    put: () => Promise.resolve(void calls.push('put')),
  } as unknown as CrfCalls['fileRepository']; // The other calls are not made.
  return {
    calls,
    add: () => addToRepository({ fileRepository }, { name: 'p.pdf', bytes: [] }, { folder: 4 }),
  };
}

describe('addToRepository', () => {
  for (const [what, before, after, stored] of [
    ['the entry that was not there before', [entry(1, 'p.pdf')], [entry(1, 'p.pdf'), entry(2, 'p.pdf')], 2],
    ['that of its own name', [], [entry(3, 'other.pdf'), entry(4, 'p.pdf')], 4],
    ['no folder', [], [entry(5, 'p.pdf', 'folder')], undefined],
    ['none of two of its name', [], [entry(6, 'p.pdf'), entry(7, 'p.pdf')], undefined],
    ['none if the folder cannot be listed afterwards', [], undefined, undefined],
  ] as const)
    it(`finds the number of the file: ${what}`, async () => {
      const { calls, add } = repository(before, after);

      expect(await add()).to.deep.equal({ ...(stored !== undefined && { id: stored }), name: 'p.pdf' });
      expect(calls).to.deep.equal(['list', 'put', 'list']);
    });
});
