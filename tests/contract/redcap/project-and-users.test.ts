import { expect } from 'chai';
import { DEMO_READER_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { jsonOf, post, textOf, type TestSandbox } from './wire.js';

describe('The project that the REDCap sandbox describes', () => {
  let classic: TestSandbox;
  let arms: TestSandbox;

  before(async () => {
    classic = await startTestSandbox(classicStudy());
    arms = await startTestSandbox(armsStudy());
  });
  after(() => Promise.all([classic.close(), arms.close()]));

  it('is one object in JSON, with numbers for switches and ordered keys', async () => {
    const project = (await jsonOf(arms, { content: 'project' })) as Record<string, unknown>;

    expect(Object.keys(project)).to.deep.equal([
      'project_id',
      'project_title',
      'creation_time',
      'production_time',
      'in_production',
      'project_language',
      'purpose',
      'purpose_other',
      'project_notes',
      'custom_record_label',
      'secondary_unique_field',
      'is_longitudinal',
      'has_repeating_instruments_or_events',
      'surveys_enabled',
      'scheduling_enabled',
      'record_autonumbering_enabled',
      'randomization_enabled',
      'ddp_enabled',
      'project_irb_number',
      'project_grant_number',
      'project_pi_firstname',
      'project_pi_lastname',
      'project_pi_email',
      'display_today_now_button',
      'missing_data_codes',
      'external_modules',
      'bypass_branching_erase_field_prompt',
    ]);
    expect(project).to.include({
      project_title: 'Test',
      is_longitudinal: 1,
      has_repeating_instruments_or_events: 1,
      surveys_enabled: 1,
      missing_data_codes: 'UNK, Unknown | -9, Not asked',
    });
    expect(await jsonOf(classic, { content: 'project' })).to.include({
      is_longitudinal: 0,
      has_repeating_instruments_or_events: 0,
    });
  });

  it('is one row in CSV and in XML', async () => {
    const lines = (await textOf(classic, { content: 'project' })).split('\n');

    expect(lines).to.have.length(3);
    expect(lines[1]).to.equal('1,Test,"2026-01-01 00:00:00",,0,English,0,,,,,0,0,0,0,1,0,0,,,,,,1,,,0');
    expect(await textOf(classic, { content: 'project', format: 'xml' })).to.match(
      /^<\?xml [^\n]+\n<items>\n<item><project_id><!\[CDATA\[1\]\]><\/project_id>.*<\/item>\n<\/items>$/,
    );
  });

  it('has a version that is bare text in every format', async () => {
    for (const format of ['json', 'csv', 'xml']) {
      expect(await textOf(classic, { content: 'version', format })).to.equal('16.1.9');
    }
  });

  it('has users, with numbers for rights and an object of rights by instrument', async () => {
    const users = (await jsonOf(arms, { content: 'user' })) as Record<string, unknown>[];

    expect(users.map((user) => user.username)).to.deep.equal([
      'coordinator',
      'data.manager',
      'monitor',
      'statistician',
    ]);
    expect(users[1]).to.include({ email: 'data.manager@example.org', api_import: 1, record_delete: 1 });
    expect(users[1]?.forms).to.deep.equal({ enrol: 1, visit: 1, meds: 1 });
    expect(users[2]).to.include({ api_export: 1, api_import: 0, record_delete: 0, record_create: 0 });
    expect(users[2]?.forms).to.deep.equal({ enrol: 2, visit: 2, meds: 2 });
    expect(users[2]?.forms_export).to.deep.equal({ enrol: 1, visit: 1, meds: 1 });
  });

  it('has users whose rights are one cell in CSV', async () => {
    const [header, , manager] = (await textOf(arms, { content: 'user' })).split('\n');

    expect(header?.split(',')).to.deep.equal([
      'username',
      'email',
      'firstname',
      'lastname',
      'expiration',
      'data_access_group',
      'data_access_group_id',
      'data_access_group_label',
      'design',
      'alerts',
      'user_rights',
      'data_access_groups',
      'reports',
      'stats_and_charts',
      'manage_survey_participants',
      'calendar',
      'data_import_tool',
      'data_comparison_tool',
      'logging',
      'email_logging',
      'file_repository',
      'data_quality_create',
      'data_quality_execute',
      'api_export',
      'api_import',
      'api_modules',
      'mobile_app',
      'mobile_app_download_data',
      'record_create',
      'record_rename',
      'record_delete',
      'lock_records_all_forms',
      'lock_records',
      'lock_records_customization',
      'forms',
      'forms_export',
    ]);

    expect(manager).to.equal(
      'data.manager,data.manager@example.org,Dorothy,Vaughan,,,,,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"enrol:1,visit:1,meds:1","enrol:1,visit:1,meds:1"',
    );
  });

  it('never shows a token', async () => {
    for (const content of ['user', 'project', 'metadata']) {
      const text = await textOf(arms, { content, format: 'json' });
      expect(text).not.to.include(arms.token).and.not.to.include(DEMO_READER_TOKEN);
    }
  });

  for (const [what, rights, form, text] of [
    ['export', { api_export: 0 }, { content: 'record' }, 'You do not have API Export privileges'],
    ['export', { api_export: 0 }, { content: 'metadata' }, 'You do not have API Export privileges'],
    [
      'import',
      { api_import: 0 },
      { content: 'record', data: 'id\n9\n' },
      'You do not have API Import/Update privileges',
    ],
    [
      'delete',
      { record_delete: 0 },
      { content: 'record', action: 'delete', records: '2' },
      'You do not have Delete Record privileges',
    ],
  ] as const) {
    it(`refuses a user who may not ${what} with 403 for ${form.content}, and changes nothing`, async () => {
      const study = classicStudy();
      const token = 'D'.repeat(32);
      const [first] = study.users;
      if (first === undefined) throw new Error('The study has no user.');
      const user = { ...first, rights: { ...ALL_RIGHTS, ...rights }, token };
      const sandbox = await startTestSandbox({ ...study, users: [user] });

      expect(await post({ ...sandbox, token }, { format: 'csv', ...form })).to.include({
        status: 403,
        text: `ERROR: ${text}`,
      });
      expect(sandbox.project.records.ids).to.have.members(['2', '10', 'A-1']);
      await sandbox.close();
    });
  }

  it('names the next record: the greatest number plus one', async () => {
    const next = async (ids: readonly string[]): Promise<string> => {
      const sandbox = await startTestSandbox({ ...classicStudy(), rows: ids.map((id) => ({ id })) });
      const text = await textOf(sandbox, { content: 'generateNextRecordName', format: 'json' });
      await sandbox.close();
      return text;
    };

    expect(await next(['2', '10', 'A-1'])).to.equal('11');
    expect(await next(['A-1', '7b', '-3'])).to.equal('1');
    expect(await next([])).to.equal('1');
  });
});
