import { expect } from 'chai';
import { REACH } from '../../../scripts/coverage-page.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { UpstreamForbiddenError } from '../../../src/errors/upstream-errors.js';
import { ALL_RIGHTS, type RightName } from '../../../src/sandbox/redcap/rights.js';
import { CALLS, fullStudy } from './calls-by-pair.js';
import { startFaultServer, type FaultServer } from '../../support/fault-server.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';

const CREATION = 'project/import';
const SUPER_TOKEN = 'A'.repeat(64);
const NEW_RECORD = 'record/import (a new record)';
const NEW_PROJECT = { title: 'New', purpose: 0 };

const EXPORTS = [
  'record/export',
  'generateNextRecordName',
  'metadata/export',
  'exportFieldNames',
  'instrument/export',
  'pdf/export',
  'formEventMapping/export',
  'repeatingFormsEvents/export',
  'event/export',
  'arm/export',
  'project/export',
  'project_xml/export',
  'file/export',
  'fileinfo/export',
  'filesize/export',
  'dag/export',
  'report/export',
];
const OF_DESIGN = [
  'metadata/import',
  'formEventMapping/import',
  'repeatingFormsEvents/import',
  'event/import',
  'event/delete',
  'arm/import',
  'arm/delete',
  'project_settings/import',
];
const OF_USERS = {
  export: ['user/export', 'userRole/export', 'userRoleMapping/export'],
  import: ['user/import', 'user/delete', 'userRole/import', 'userRole/delete', 'userRoleMapping/import'],
};
const OF_GROUPS = {
  export: ['userDagMapping/export'],
  import: ['dag/import', 'dag/delete', 'userDagMapping/import'],
};
const OF_REPOSITORY = {
  export: ['fileRepository/list', 'fileRepository/export'],
  import: ['fileRepository/createFolder', 'fileRepository/import', 'fileRepository/delete'],
};
const OF_SURVEYS = [
  'surveyLink/export',
  'surveyQueueLink/export',
  'surveyReturnCode/export',
  'surveyAccessCode/export',
  'participantList/export',
];

/**
 * The rights, their names in REDCap, and the calls that need them.
 *
 * @see docs/protocol/redcap.md 3 (doc), 20 (client)
 */
const NEEDED: readonly (readonly [right: RightName, name: string, pairs: readonly string[]])[] = [
  [
    'api_export',
    'API Export',
    [
      ...EXPORTS,
      ...OF_USERS.export,
      ...OF_GROUPS.export,
      ...OF_REPOSITORY.export,
      ...OF_SURVEYS,
      'log/export',
    ],
  ],
  [
    'api_import',
    'API Import/Update',
    [
      ...OF_DESIGN,
      ...OF_USERS.import,
      ...OF_GROUPS.import,
      ...OF_REPOSITORY.import,
      'record/import',
      NEW_RECORD,
      'file/import',
      'file/delete',
      'dag/switch',
    ],
  ],
  ['design', 'Project Design and Setup', OF_DESIGN],
  ['user_rights', 'User Rights', [...OF_USERS.export, ...OF_USERS.import]],
  ['data_access_groups', 'Data Access Groups', [...OF_GROUPS.export, ...OF_GROUPS.import]],
  ['manage_survey_participants', 'Survey Distribution Tools', OF_SURVEYS],
  ['file_repository', 'File Repository', [...OF_REPOSITORY.export, ...OF_REPOSITORY.import]],
  ['logging', 'Logging', ['log/export']],
  ['record_create', 'Create Records', [NEW_RECORD]],
  ['record_delete', 'Delete Record', ['record/delete', 'user/delete']],
  ['record_rename', 'Rename Record', ['record/rename']],
  ['random_perform', 'Randomize', ['record/randomize']],
];

/** Makes every call with all rights but one. @returns the calls that were refused, with the missing right */
async function refusedWithout(right: RightName): Promise<{ pair: string; right: string }[]> {
  const study = fullStudy();
  const rights = { ...ALL_RIGHTS, [right]: 0 };
  const users = study.users.map((user) => (user.username === 'data.manager' ? { ...user, rights } : user));
  const opened = await startSandboxClient({ ...study, users });
  const refused: { pair: string; right: string }[] = [];
  for (const [pair, call] of Object.entries(CALLS)) {
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
  it('cover every pair for which docs/coverage.md names a method', () => {
    expect([...Object.keys(CALLS).filter((name) => name !== NEW_RECORD), CREATION].toSorted()).to.deep.equal(
      Object.keys(REACH).toSorted(),
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
      const call = isCreation ? client.projects.create(NEW_PROJECT) : CALLS[pair]?.(client);
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
      for (const [pair, call] of Object.entries(CALLS)) {
        const outcome = await call(opened.client).then(
          () => 'done',
          (error: Error) => `${pair}: ${error.message}`,
        );
        expect(outcome).to.equal('done');
      }
    });
  });

  for (const [right, name, pairs] of NEEDED) {
    it(`are refused as upstream_forbidden without ${name}, and no others are`, async () => {
      const refused = await refusedWithout(right);

      expect(refused.map(({ pair }) => pair)).to.have.members(pairs);
      expect([...new Set(refused.map((refusal) => refusal.right))]).to.deep.equal([name]);
    });
  }
});
