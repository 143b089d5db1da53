import { expect } from 'chai';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { jsonOf, textOf, type TestSandbox } from './wire.js';

describe('The REDCap sandbox, as third-party clients expect it', () => {
  const superToken = 'C'.repeat(64);
  let sandbox: TestSandbox;

  before(async () => {
    const started = await startRedcapSandbox({
      study: {
        ...armsStudy(),
        surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
        reports: [{ id: 7, title: 'Report', fields: ['enrol_complete', 'marks', 'name'], filterLogic: '' }],
        users: armsStudy().users.map((user) => ({
          ...user,
          rights: {
            ...user.rights,
            reports: 0,
            data_access_groups: Number(user.username === 'data.manager'),
          },
        })),
      },
      otherStudies: [
        {
          ...classicStudy(),
          users: classicStudy().users.map((user) => ({ ...user, token: 'A'.repeat(32) })),
        },
      ],
      superToken,
      publicUrl: 'https://redcap.example.edu/redcap/',
    });
    sandbox = { ...started, token: started.project.study.users[0]?.token ?? '' };
  });

  after(() => sandbox.close());

  it('returns links with its public URL', async () => {
    const queue = await textOf(sandbox, { content: 'surveyQueueLink', record: '1' });

    expect(queue).to.match(/^https:\/\/redcap\.example\.edu\/redcap\/surveys\/\?sq=\w+$/);
  });

  it('maps each token to its own project', async () => {
    const first = await jsonOf(sandbox, { content: 'project' });
    const other = await jsonOf({ ...sandbox, token: 'A'.repeat(32) }, { content: 'project' });

    expect([first, other].map((project) => (project as { project_id: number }).project_id)).to.deep.equal([
      1, 2,
    ]);
  });

  it('creates a project from a single XML item', async () => {
    const data =
      '<?xml version="1.0" encoding="UTF-8" ?>\n<item>\n<project_title>Made</project_title>\n<purpose>0</purpose>\n</item>';

    const token = await textOf(
      { ...sandbox, token: superToken },
      { content: 'project', format: 'xml', data },
    );

    expect(await jsonOf({ ...sandbox, token }, { content: 'project' })).to.include({ project_title: 'Made' });
  });

  it('creates a project with settings that are words, as it changes them', async () => {
    const settings = { surveys_enabled: 'true', record_autonumbering_enabled: 'off', is_longitudinal: 'off' };
    const data = JSON.stringify([{ project_title: 'Made', purpose: '0', ...settings }]);
    const form = { content: 'project', format: 'json', data };
    const token = await textOf({ ...sandbox, token: superToken }, form);

    expect(await jsonOf({ ...sandbox, token }, { content: 'project' })).to.include({
      surveys_enabled: 1,
      record_autonumbering_enabled: 0,
      is_longitudinal: 0,
    });
  });

  it('imports a list that was exported as XML', async () => {
    const list = { content: 'repeatingFormsEvents', format: 'xml' };
    const data = await textOf(sandbox, list);

    expect(await textOf(sandbox, { ...list, data })).to.equal('2');
    expect(await textOf(sandbox, list)).to.equal(data);
  });

  it('gives the creator of a project limited rights, and logs them first', async () => {
    const data = JSON.stringify([{ project_title: 'Made', purpose: 0 }]);
    const token = await textOf(
      { ...sandbox, token: superToken },
      { content: 'project', format: 'json', data },
    );
    const made = { ...sandbox, token };

    const [creator] = (await jsonOf(made, { content: 'user' })) as Record<string, unknown>[];
    const log = (await jsonOf(made, { content: 'log' })) as Record<string, string>[];

    const missing = Object.entries(creator ?? {}).filter(([, right]) => right === 0);
    expect(missing.map(([name]) => name)).to.deep.equal([
      'email_logging',
      'mobile_app_download_data',
      'record_rename',
      'record_delete',
      'lock_records_all_forms',
      'lock_records',
      'lock_records_customization',
    ]);
    expect(log.slice(-2).map(({ action }) => action)).to.deep.equal([
      'Manage/Design ',
      'Add user site_admin',
    ]);
  });

  it('lists users by name, in each of their lists', async () => {
    await textOf(sandbox, { content: 'user', format: 'json', data: '[{"username":"ada"}]' });

    for (const content of ['user', 'userDagMapping', 'userRoleMapping']) {
      const [first] = (await jsonOf(sandbox, { content })) as { username: string }[];
      expect(first?.username, content).to.equal('ada');
    }
  });

  it('lists the rights to lock of roles in reverse order', async () => {
    await textOf(sandbox, { content: 'userRole', format: 'json', data: '[{"role_label":"Reader"}]' });

    const [header = ''] = (await textOf(sandbox, { content: 'userRole' })).split('\n');

    expect(header).to.include('lock_records_customization,lock_records,lock_records_all_forms,forms');
  });

  it('lists the records whose form was saved at the event as participants', async () => {
    const list = { content: 'participantList', instrument: 'enrol' };
    const countAt = async (event: string): Promise<number> =>
      ((await jsonOf(sandbox, { ...list, event })) as unknown[]).length;

    expect([await countAt('start_arm_1'), await countAt('start_arm_2')]).to.deep.equal([1, 1]);
  });

  it('exports a report without a right over reports, in the order of the report', async () => {
    const rows = (await jsonOf(sandbox, { content: 'report', report_id: '7' })) as Record<string, string>[];

    expect(Object.keys(rows[0] ?? {})).to.deep.equal([
      'id',
      'redcap_event_name',
      'redcap_repeat_instrument',
      'redcap_repeat_instance',
      'enrol_complete',
      'marks___aa',
      'marks___2',
      'marks___unk',
      'marks____9',
      'name',
    ]);
  });

  it('lists groups without a right over them', async () => {
    const reader = { ...sandbox, token: sandbox.project.study.users[1]?.token ?? '' };

    expect(await jsonOf(reader, { content: 'dag' })).to.deep.equal([]);
  });
});
