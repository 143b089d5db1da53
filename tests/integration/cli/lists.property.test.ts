import { expect } from 'chai';
import fc from 'fast-check';
import { entriesOf, PROJECT_LISTS, type ProjectList, putList } from '../../../src/cli/lists.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { startSandboxClient } from '../../support/sandbox-client.js';
import { WHOLE_STUDY } from '../../support/random-whole-study.js';

const SUPER_TOKEN = 'A1'.repeat(32);

/** In the order in which one needs the other. */
const LISTS = [
  'arms',
  'events',
  'mappings',
  'repeating',
  'dags',
  'roles',
  'users',
  'dag-assignments',
  'role-assignments',
] as const;

/** What makes nothing twice when it is put again. */
const REPEATED = ['events', 'dags', 'roles'] as const;

describe('What crf lists of a project', () => {
  it('can be put into another, which then lists the same (BACK-03)', async () => {
    await fc.assert(
      fc.asyncProperty(WHOLE_STUDY, async (study) => {
        const opened = await startSandboxClient(study, { superToken: SUPER_TOKEN });
        const { client: from, sandbox } = opened;
        const creator = createCrfClient({ url: sandbox.url, token: SUPER_TOKEN });
        const info = await from.project.getInfo();
        const token = await creator.project.create({ ...about(info), title: 'Copy' });
        const to = createCrfClient({ url: sandbox.url, token });
        try {
          await to.fields.put(await from.fields.list());
          for (const name of [...LISTS, ...REPEATED]) {
            const list: ProjectList = PROJECT_LISTS[name];
            const rows = entriesOf(JSON.stringify(await list.list(from)), list);
            if (rows.length > 0) await putList(to, name, rows, { replace: true });
          }
          for (const name of LISTS)
            expect(await listed(name, to), name).to.deep.equal(await listed(name, from));
        } finally {
          to.close();
          creator.close();
          await opened.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});

function about({
  purpose,
  isLongitudinal,
  surveysEnabled,
}: Awaited<ReturnType<CrfClient['project']['getInfo']>>) {
  return { purpose, purposeOther: 'Any', isLongitudinal, surveysEnabled };
}

/** Leaves out the numbers and names that each project gives itself, and the project's own user. */
async function listed(name: (typeof LISTS)[number], client: CrfClient): Promise<unknown[]> {
  const rows = (await PROJECT_LISTS[name].list(client)) as unknown as Record<string, unknown>[];
  return rows
    .filter(({ username = 'user.' }) => String(username).startsWith('user.'))
    .map(({ id: _id, dagId: _number, role: _role, ...row }) =>
      typeof row.uniqueName === 'string' && row.uniqueName.startsWith('U-')
        ? { ...row, uniqueName: 'U-' }
        : row,
    );
}
