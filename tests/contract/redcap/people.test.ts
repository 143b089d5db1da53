import { expect } from 'chai';
import fc from 'fast-check';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

const SITE_TOKEN = 'A'.repeat(32);

/** A project with two groups. `site` is in the first and has all rights; records 2 and 10 are each in a group. */
function groupedStudy(): ReturnType<typeof classicStudy> {
  const study = classicStudy();
  const [manager] = study.users;
  if (manager === undefined) throw new Error('The study has no user.');
  return {
    ...study,
    groups: [
      { name: 'North', uniqueName: 'north', id: 1 },
      { name: 'South', uniqueName: 'south', id: 2 },
    ],
    users: [
      ...study.users,
      { ...manager, username: 'site', token: SITE_TOKEN, group: 'north', rights: ALL_RIGHTS },
    ],
    rows: [
      { id: '2', age: '20', redcap_data_access_group: 'north' },
      { id: '10', age: '30', redcap_data_access_group: 'south' },
      { id: '11', age: '40' },
    ],
  };
}

describe('Groups, users and roles of the REDCap sandbox', () => {
  let sandbox: TestSandbox;
  let site: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(groupedStudy());
    site = { ...sandbox, token: SITE_TOKEN };
  });
  afterEach(() => sandbox.close());

  const send = (content: string, rows: unknown): Form => ({
    content,
    action: 'import',
    data: JSON.stringify(rows),
  });

  it('show the group of a record to a caller in no group, on request', async () => {
    const form = { content: 'record', fields: 'id', exportDataAccessGroups: 'true' };

    expect(await textOf(sandbox, form)).to.equal('id,redcap_data_access_group\n2,north\n10,south\n11,\n');
    expect(await textOf(sandbox, { ...form, rawOrLabel: 'label' })).to.include('2,North');
    expect(await textOf(site, form)).to.equal('id\n2\n');
  });

  it('hide the records of other groups from a caller in a group, and protect them from changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Form>(
          { content: 'record', records: '10' },
          { content: 'record', type: 'eav', records: '10' },
          { content: 'record', data: 'id,age\n10,1\n' },
          { content: 'record', action: 'delete', records: '10' },
          { content: 'record', action: 'rename', record: '10', new_record_name: '99' },
          { content: 'pdf', record: '10' },
          { content: 'pdf', allRecords: '' },
          { content: 'log', record: '10' },
        ),
        fc.constantFrom('csv', 'json', 'xml'),
        async (form, format) => {
          const { text } = await post(site, { ...form, format });

          expect(text).not.to.match(/\b30\b/);
          expect(
            sandbox.project.records
              .get('10')
              ?.row({ event: '', instrument: '', instance: 0 })
              ?.values.get('age'),
          ).to.equal('30');
        },
      ),
      { numRuns: 60 },
    );
  });

  it('add records that a caller in a group creates to that group', async () => {
    await textOf(site, { content: 'record', data: 'id,age\n77,1\n' });

    expect(sandbox.project.records.get('77')?.group).to.equal('north');
  });

  it('let only a caller in no group assign a record to a group', async () => {
    const form = { content: 'record', data: 'id,redcap_data_access_group\n11,south\n' };
    await textOf(sandbox, form);
    expect(sandbox.project.records.get('11')?.group).to.equal('south');

    expect(await refusalOf(site, { ...form, format: 'csv', returnFormat: 'json' })).to.include(
      'Data Access Group',
    );
  });

  it('number records within the group of the caller', async () => {
    expect(await textOf(site, { content: 'generateNextRecordName' })).to.equal('1-1');
    await textOf(site, { content: 'record', data: 'id,age\n1-4,1\n' });

    expect(await textOf(site, { content: 'generateNextRecordName' })).to.equal('1-5');
  });

  it('can be created, renamed and deleted, with effect on members and records', async () => {
    expect(
      await jsonOf(sandbox, send('dag', [{ data_access_group_name: 'West Coast', unique_group_name: '' }])),
    ).to.equal(1);
    expect(sandbox.project.group('west_coast')).to.include({ name: 'West Coast', id: 3 });

    await jsonOf(sandbox, send('dag', [{ data_access_group_name: 'Far North', unique_group_name: 'north' }]));
    expect(sandbox.project.user('site')?.group).to.equal('far_north');
    expect(sandbox.project.records.get('2')?.group).to.equal('far_north');

    expect(
      await jsonOf(sandbox, {
        content: 'dag',
        action: 'delete',
        'dags[0]': 'far_north',
        'dags[1]': 'unknown',
      }),
    ).to.equal(1);
    expect(sandbox.project.records.get('2')?.group).to.equal('');
    expect(await jsonOf(sandbox, { content: 'dag' })).to.have.length(2);
  });

  it('can be assigned to users, and let a user switch', async () => {
    await jsonOf(
      sandbox,
      send('userDagMapping', [{ username: 'monitor', redcap_data_access_group: 'south' }]),
    );
    const rows = (await jsonOf(sandbox, { content: 'userDagMapping' })) as Record<string, string>[];
    expect(rows.find(({ username }) => username === 'monitor')).to.include({
      redcap_data_access_group: 'south',
    });

    expect(await textOf(site, { content: 'dag', action: 'switch', dag: 'south' })).to.equal('1');
    expect(await textOf(site, { content: 'record', fields: 'id' })).to.equal('id\n10\n');
  });

  it('add users with only the rights sent, and can be changed and deleted', async () => {
    const sent = { username: 'new.one', api_export: 1, forms: { base: 129 }, forms_export: { base: 2 } };
    expect(await jsonOf(sandbox, send('user', [sent, { username: 'monitor', logging: 1 }]))).to.equal(2);

    const users = (await jsonOf(sandbox, { content: 'user' })) as Record<string, unknown>[];
    const named = (name: string): Record<string, unknown> | undefined =>
      users.find(({ username }) => username === name);
    expect(named('new.one')).to.deep.include({
      api_export: 1,
      api_import: 0,
      forms: { base: 129 },
      forms_export: { base: 2 },
    });
    expect(named('monitor')).to.include({ logging: 1, api_export: 1 });

    expect(
      await textOf(sandbox, {
        content: 'user',
        action: 'delete',
        'users[0]': 'new.one',
        'users[1]': 'nobody',
      }),
    ).to.equal('1');
    expect(sandbox.project.user('new.one')).to.equal(undefined);
  });

  it('give users of a role the rights of the role', async () => {
    await jsonOf(
      sandbox,
      send('userRole', [{ role_label: 'Blind', unique_role_name: '', api_export: 1, forms: { base: 129 } }]),
    );
    const [role] = (await jsonOf(sandbox, { content: 'userRole' })) as Record<string, unknown>[];
    expect(role).to.include({ role_label: 'Blind', api_export: '1', api_import: '0' });
    expect(role?.unique_role_name).to.match(/^U-[A-Z0-9]{10}$/);

    const name = String(role?.unique_role_name);
    await jsonOf(sandbox, send('userRoleMapping', [{ username: 'site', unique_role_name: name }]));
    expect((await post(site, { content: 'record', data: 'id\n5\n', format: 'csv' })).status).to.equal(403);

    expect(await jsonOf(sandbox, { content: 'userRole', action: 'delete', 'roles[0]': name })).to.equal(1);
    expect(sandbox.project.user('site')?.role).to.equal('');
  });

  it('withhold forms without export rights, and names, text and dates from de-identified exports', async () => {
    const exported = async (right: number): Promise<string[]> => {
      await jsonOf(sandbox, send('user', [{ username: 'monitor', forms_export: { base: right } }]));
      const text = await textOf(
        { ...sandbox, token: 'DECAF000DECAF000DECAF000DECAF000' },
        { content: 'record' },
      );
      return text.split('\n');
    };

    expect((await exported(0))[0]).to.equal('id');
    const [header, first = ''] = await exported(2);
    expect(header?.split(',')).to.include('age').and.not.include('born');
    expect(first).to.match(/^[0-9a-f]{32},/);
  });
});
