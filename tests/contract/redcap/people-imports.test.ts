import { expect } from 'chai';
import { rightsOf } from '../../../src/sandbox/redcap/rights.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

const SITE_TOKEN = 'A'.repeat(32);
const IMPORTER_TOKEN = 'B'.repeat(32);

type Named = Readonly<Record<string, string>>;

/** `site` is in the group North, `importer` may import but not create records, and `read` is a file field. */
function study(): ReturnType<typeof classicStudy> {
  const classic = classicStudy();
  const person = { email: '', firstName: '', lastName: '', expiration: '', group: '', role: '' };
  const rights = rightsOf({ api_export: 1, api_import: 1, file_repository: 1, logging: 1, record_create: 1 });
  return {
    ...classic,
    groups: [
      { name: 'North', uniqueName: 'north', id: 1 },
      { name: 'South', uniqueName: 'south', id: 2 },
    ],
    users: [
      ...classic.users,
      { ...person, username: 'site', token: SITE_TOKEN, group: 'north', rights },
      {
        ...person,
        ...{ username: 'importer', token: IMPORTER_TOKEN, rights: { ...rights, record_create: 0 } },
        formRights: { forms: { base: 2 }, formsExport: { base: 1 } },
      },
    ],
    fields: classic.fields.map((field) =>
      field.name === 'weight' ? { ...field, type: 'file' as const } : field,
    ),
    rows: [
      { id: '2', redcap_data_access_group: 'south', weight: 'a.txt' },
      { id: '3', redcap_data_access_group: 'north' },
    ],
  };
}

describe('Imports of groups and roles, and rights over them, in the REDCap sandbox', () => {
  let sandbox: TestSandbox;
  let site: TestSandbox;
  let importer: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(study());
    site = { ...sandbox, token: SITE_TOKEN };
    importer = { ...sandbox, token: IMPORTER_TOKEN };
  });
  afterEach(() => sandbox.close());

  const send = (content: string, rows: unknown): Form => ({
    content,
    action: 'import',
    data: JSON.stringify(rows),
  });
  const rolesOf = async (): Promise<Named[]> => (await jsonOf(sandbox, { content: 'userRole' })) as Named[];
  const namesOf = async (): Promise<(string | undefined)[]> =>
    (await rolesOf()).map(({ role_label }) => role_label);

  it('gives a new role a unique name that was never used', async () => {
    await jsonOf(sandbox, send('userRole', [{ role_label: 'A' }, { role_label: 'B' }]));
    const [first, second] = await rolesOf();
    await textOf(sandbox, { content: 'userRole', action: 'delete', roles: first?.unique_role_name });
    await jsonOf(sandbox, send('userRole', [{ role_label: 'C' }]));
    expect(await namesOf()).to.deep.equal(['B', 'C']);

    await textOf(sandbox, { content: 'userRole', action: 'delete', roles: second?.unique_role_name });
    await jsonOf(sandbox, send('userRole', [{ role_label: 'D' }, { role_label: 'E' }]));

    const names = (await rolesOf()).map(({ unique_role_name }) => unique_role_name);
    expect(names).to.not.include.members([first?.unique_role_name]);
    expect(names).to.not.include.members([second?.unique_role_name]);
    expect(await namesOf()).to.deep.equal(['C', 'D', 'E']);
  });

  it('keeps what project XML says of a role that is changed', async () => {
    const role = { uniqueName: 'U-0000000000', label: 'Old', rights: rightsOf({}), others: { kept: '7' } };
    sandbox.project.redesign({ roles: [role] });

    await jsonOf(sandbox, send('userRole', [{ unique_role_name: role.uniqueName, role_label: 'New' }]));

    expect(sandbox.project.roles[0]).to.deep.include({ label: 'New', others: { kept: '7' } });
  });

  it('gives a new group a number that was never used', async () => {
    await textOf(sandbox, { content: 'dag', action: 'delete', dags: 'south' });
    await jsonOf(sandbox, send('dag', [{ data_access_group_name: 'East', unique_group_name: '' }]));

    expect(sandbox.project.group('east')?.id).to.equal(3);
  });

  it('stores no user with an invalid right or expiration', async () => {
    const users = sandbox.project.study.users;
    for (const [column, value] of [
      ['design', '2'],
      ['user_rights', '3'],
      ['lock_records', '3'],
      ['logging', '-1'],
      ['expiration', '31/12/2026'],
      ['expiration', '2026-02-30'],
      ['expiration', '2026-12-00'],
    ] as [string, string][])
      expect(await refusalOf(sandbox, send('user', [{ username: 'site', [column]: value }]))).to.include(
        column,
      );
    expect(sandbox.project.study.users).to.equal(users);

    const row = { username: 'site', user_rights: '2', lock_records: '2', expiration: '2028-02-29' };
    expect(await jsonOf(sandbox, send('user', [row]))).to.equal(1);
    expect(sandbox.project.user('site')).to.deep.include({ expiration: '2028-02-29' });
    expect(sandbox.project.user('site')?.rights).to.include({ user_rights: 2, lock_records: 2 });
  });

  it('stores no group of an import that is refused', async () => {
    const rows = [
      { data_access_group_name: 'East', unique_group_name: '' },
      { data_access_group_name: 'Far North', unique_group_name: 'north' },
      { data_access_group_name: 'West', unique_group_name: 'nowhere' },
    ];

    expect(await refusalOf(sandbox, send('dag', rows))).to.include("'nowhere'");

    expect(sandbox.project.groups.map(({ name }) => name)).to.deep.equal(['North', 'South']);
    expect(sandbox.project.user('site')?.group).to.equal('north');
  });

  it('keeps the log visible to the members of a renamed group, but not to a later group with the old name', async () => {
    await textOf(site, { content: 'record', data: 'id\n3\n' });
    const rows = [
      { data_access_group_name: 'Far North', unique_group_name: 'north' },
      { data_access_group_name: 'North', unique_group_name: '' },
    ];
    await jsonOf(sandbox, send('dag', rows));
    expect(await textOf(site, { content: 'log', record: '3' })).to.include('Update record (API) 3');

    await textOf(site, { content: 'dag', action: 'switch', dag: 'far_north' });
    await jsonOf(sandbox, send('userDagMapping', [{ username: 'site', redcap_data_access_group: 'north' }]));

    expect(await textOf(site, { content: 'log', record: '3' })).not.to.include('Update record');
  });

  it('creates no record for a user without that right, even with automatic numbering', async () => {
    const data = 'id,age\n2,1\n';
    const before = sandbox.project.records.ids;

    expect(await post(importer, { content: 'record', format: 'csv', data, forceAutoNumber: '1' })).to.include(
      {
        status: 403,
        text: 'ERROR: You do not have Create Records privileges',
      },
    );
    expect(sandbox.project.records.ids).to.deep.equal(before);
  });

  it('gives new numbers to rows named like a record of another group', async () => {
    const form = {
      content: 'record',
      data: 'id,age\n2,1\n',
      forceAutoNumber: '1',
      returnContent: 'auto_ids',
    };

    expect(await textOf(site, form)).to.equal('id\n"1-1,2"');
    expect(sandbox.project.records.get('1-1')?.group).to.equal('north');
  });

  it('changes no file for a user who may only view its form', async () => {
    const form = { content: 'file', action: 'delete', record: '2', field: 'weight', returnFormat: 'csv' };

    expect(await post(importer, form)).to.include({
      status: 403,
      text: 'ERROR: You do not have edit rights to this instrument',
    });
    expect(await post(sandbox, form)).to.include({ status: 200 });
  });

  it('hides the content of folders of another group at any depth, and refuses an unknown group or role', async () => {
    const create = { content: 'fileRepository', action: 'createFolder', format: 'json' };
    await jsonOf(sandbox, { ...create, name: 'South only', dag_id: '2' });
    await jsonOf(sandbox, { ...create, name: 'Inner', folder_id: '1' });
    const list = { content: 'fileRepository', action: 'list', folder_id: '2' };

    expect(await jsonOf(sandbox, list)).to.deep.equal([]);
    expect(await refusalOf(site, list)).to.include('folder_id=2 does not exist');
    expect(await refusalOf(sandbox, { ...create, name: 'x', dag_id: 'abc' })).to.include('"dag_id"');
    expect(await refusalOf(sandbox, { ...create, name: 'x', role_id: 'abc' })).to.include('"role_id"');
  });
});
