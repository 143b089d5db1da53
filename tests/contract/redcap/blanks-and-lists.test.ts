import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

type Row = Readonly<Record<string, unknown>>;

/** What a blank means in imports and lists: docs/protocol/redcap.md 20. */
describe('A blank sent to the REDCap sandbox', () => {
  let sandbox: TestSandbox;

  beforeEach(async () => {
    const classic = classicStudy();
    sandbox = await startTestSandbox({
      ...classic,
      groups: [
        { name: 'North', uniqueName: 'north', id: 1 },
        { name: 'South', uniqueName: 'south', id: 2 },
      ],
      users: classic.users.map((user) =>
        user.username === 'monitor'
          ? { ...user, group: 'north', expiration: '2030-01-01' }
          : { ...user, group: user.username === 'coordinator' ? 'south' : '' },
      ),
      rows: [{ id: '2', redcap_data_access_group: 'north', age: '30' }],
    });
  });
  afterEach(() => sandbox.close());

  const send = (content: string, rows: unknown, form: Form = {}): Promise<string> =>
    textOf(sandbox, { content, action: 'import', format: 'json', data: JSON.stringify(rows), ...form });
  const groupOfRecord = async (): Promise<unknown> => {
    const [row] = (await jsonOf(sandbox, {
      content: 'record',
      records: '2',
      exportDataAccessGroups: 'true',
    })) as Row[];
    return row?.redcap_data_access_group;
  };
  const monitor = async (): Promise<Row | undefined> =>
    ((await jsonOf(sandbox, { content: 'user' })) as Row[]).find(({ username }) => username === 'monitor');

  for (const [format, data] of [
    ['json', '[{"id":"2","redcap_data_access_group":""}]'],
    ['csv', 'id,redcap_data_access_group\n2,\n'],
    [
      'xml',
      '<records><item><id>2</id><redcap_data_access_group></redcap_data_access_group></item></records>',
    ],
  ] as const) {
    it(`takes a record out of its group if blanks erase, as ${format}`, async () => {
      await textOf(sandbox, { content: 'record', format, data });
      expect(await groupOfRecord()).to.equal('north');

      await textOf(sandbox, { content: 'record', format, data, overwriteBehavior: 'overwrite' });

      expect(await groupOfRecord()).to.equal('');
    });
  }

  it('leaves a record in its group if the column is not sent, or the caller is in the group', async () => {
    const site = sandbox.project.study.users.find(({ username }) => username === 'data.manager');
    sandbox.project.redesign({
      users: [
        ...sandbox.project.study.users,
        { ...site, username: 'site', token: 'B'.repeat(32), group: 'north' } as NonNullable<typeof site>,
      ],
    });
    const overwrite = { content: 'record', overwriteBehavior: 'overwrite' };

    await textOf(sandbox, { ...overwrite, data: 'id,age\n2,31\n' });
    await textOf(
      { ...sandbox, token: 'B'.repeat(32) },
      { ...overwrite, data: 'id,redcap_data_access_group\n2,\n' },
    );

    expect(await groupOfRecord()).to.equal('north');
  });

  it('takes a user out of the group and ends the expiration, but only where it is sent', async () => {
    await send('user', [{ username: 'monitor', design: 1 }]);
    expect(await monitor()).to.include({ data_access_group: 'north', expiration: '2030-01-01', design: 1 });

    await send('user', [{ username: 'monitor', data_access_group: '', expiration: '' }]);

    expect(await monitor()).to.include({ data_access_group: '', expiration: '', design: 1 });
  });

  it('is 0 for the rights of a user, by instrument too', async () => {
    await send('user', [{ username: 'monitor', forms: { base: 1 }, forms_export: { base: 1 }, reports: 1 }]);
    expect(await monitor()).to.deep.include({ forms: { base: 1 }, forms_export: { base: 1 }, reports: 1 });

    await textOf(sandbox, {
      content: 'user',
      data: 'username,forms,forms_export,reports\nmonitor,base:1,,\n',
    });

    expect(await monitor()).to.deep.include({ forms: { base: 1 }, forms_export: { base: 0 }, reports: 0 });
    await textOf(sandbox, { content: 'user', data: 'username,forms_export\nmonitor,base:\n' });
    expect(await monitor()).to.deep.include({ forms_export: { base: 0 } });
  });

  it('is 0 for the rights of a role, and keeps its label', async () => {
    await send('userRole', [{ role_label: 'Nurse', design: 1, forms_export: { base: 1 } }]);
    const [role] = (await jsonOf(sandbox, { content: 'userRole' })) as Row[];
    expect(role).to.deep.include({ design: '1', forms_export: { base: 1 } });

    await send('userRole', [
      { unique_role_name: role?.unique_role_name, role_label: '', design: '', forms_export: '' },
    ]);

    const [changed] = (await jsonOf(sandbox, { content: 'userRole' })) as Row[];
    expect(changed).to.deep.include({ role_label: 'Nurse', design: '0', forms_export: { base: 0 } });
  });

  it('takes a user out of the group and the role in the assignments of both', async () => {
    const assignments = async (): Promise<Row | undefined> =>
      ((await jsonOf(sandbox, { content: 'userRoleMapping' })) as Row[]).find(
        ({ username }) => username === 'monitor',
      );
    await send('userRole', [{ role_label: 'Nurse' }]);
    const [role] = (await jsonOf(sandbox, { content: 'userRole' })) as Row[];
    const nurse = { username: 'monitor', unique_role_name: role?.unique_role_name };

    await send('userRoleMapping', [{ ...nurse, data_access_group: 'south' }]);
    expect(await assignments()).to.include({ ...nurse, data_access_group: 'south' });
    await send('userRoleMapping', [nurse]);
    expect(await assignments()).to.include({ ...nurse, data_access_group: 'south' });

    await send('userRoleMapping', [{ username: 'monitor', unique_role_name: '', data_access_group: '' }]);

    expect(await assignments()).to.include({ unique_role_name: '', data_access_group: '' });
    const unknown = { content: 'userRoleMapping', action: 'import' };
    const rows = [{ username: 'monitor', unique_role_name: '', data_access_group: 'nowhere' }];
    expect(await refusalOf(sandbox, { ...unknown, data: JSON.stringify(rows) })).to.include("'nowhere'");
  });

  it('erases the label of an event, and is no event or arm to delete in a classic project', async () => {
    for (const content of ['event', 'arm']) {
      expect(await textOf(sandbox, { content, action: 'delete' })).to.equal('0');
      expect(await textOf(sandbox, { content, action: 'delete', [`${content}s`]: '' })).to.equal('0');
    }
    await send('event', [
      { event_name: 'One', custom_event_label: '[age]' },
      { event_name: 'Two', custom_event_label: '[age]' },
    ]);
    expect(await refusalOf(sandbox, { content: 'event', action: 'delete' })).to.include('"events"');
    expect(await refusalOf(sandbox, { content: 'arm', action: 'delete' })).to.include('"arms"');

    await send('event', [
      { event_name: 'One', unique_event_name: 'one_arm_1', custom_event_label: '' },
      { event_name: 'Two', unique_event_name: 'two_arm_1' },
    ]);

    const events = (await jsonOf(sandbox, { content: 'event' })) as Row[];
    expect(events.map((event) => event.custom_event_label)).to.deep.equal(['', '[age]']);
  });

  it('is no title for a new project, which is said without double quotes', async () => {
    const { superToken, ...started } = await startWithSuperToken();
    const create = (row: Row) =>
      post(
        { ...started, token: superToken },
        {
          content: 'project',
          format: 'json',
          data: JSON.stringify([row]),
        },
      );

    for (const row of [{ purpose: 0 }, { project_title: '', purpose: 0 }, { project_title: 'A' }]) {
      const { status, text } = await create(row);
      expect(status).to.equal(400);
      // Some clients find the text of an error up to the next double quote.
      expect(text).to.match(/^\{"error":"[^"\\]*'(project_title|purpose)'[^"\\]*"\}$/);
    }
    await started.close();
  });
});

async function startWithSuperToken(): Promise<TestSandbox & { readonly superToken: string }> {
  const { startRedcapSandbox } = await import('../../../src/sandbox/redcap/redcap-sandbox.js');
  const superToken = 'C'.repeat(64);
  return { ...(await startRedcapSandbox({ study: classicStudy(), superToken })), token: '', superToken };
}

/** The parameters that are lists, in every content that reads one: docs/protocol/redcap.md 1.5, 20. */
describe('A list of parameters sent to the REDCap sandbox', () => {
  let sandbox: TestSandbox;

  before(async () => {
    sandbox = await startTestSandbox(classicStudy());
  });
  after(() => sandbox.close());

  const answer = async (...entries: [name: string, value: string][]): Promise<[string, string]> => {
    const body = new URLSearchParams([['token', sandbox.token], ['format', 'csv'], ...entries]);
    const form = new FormData();
    for (const [name, value] of body) form.append(name, value);
    const texts = await Promise.all(
      [body, form].map(async (data) => (await fetch(sandbox.url, { method: 'POST', body: data })).text()),
    );
    return [texts[0] ?? '', texts[1] ?? ''];
  };

  for (const [sent, header] of [
    [
      [
        ['fields[1]', 'id'],
        ['fields', ''],
      ],
      'id,age,sites___1',
    ],
    [
      [
        ['fields', ''],
        ['fields[1]', 'id'],
      ],
      'id\n',
    ],
    [
      [
        ['fields[1]', 'id'],
        ['fields', 'age'],
      ],
      'age\n',
    ],
    [
      [
        ['fields', 'age'],
        ['fields[1]', 'id'],
      ],
      'id\n',
    ],
    [
      [
        ['fields', 'age'],
        ['fields', 'id'],
      ],
      'id\n',
    ],
    [
      [
        ['fields[0]', 'age'],
        ['fields[0]', 'id'],
      ],
      'id\n',
    ],
    [
      [
        ['fields[]', 'id'],
        ['fields[]', 'age'],
      ],
      'id,age\n',
    ],
    [
      [
        ['fields[1]', 'id'],
        ['fields[]', 'age'],
        ['fields[7]', 'sex'],
      ],
      'id,age,sex\n',
    ],
    [
      [
        ['fields[1]', ''],
        ['fields[2]', 'id'],
      ],
      'id\n',
    ],
    [[['fields[1]', '']], 'id,age,sites___1'],
  ] as [[string, string][], string][]) {
    it(`is what PHP reads from ${sent.map(([name, value]) => `${name}=${value}`).join('&')}`, async () => {
      for (const text of await answer(['content', 'record'], ...sent)) {
        expect(text.slice(0, header.length)).to.equal(header);
      }
    });
  }

  for (const [form, name, value] of [
    [{ content: 'record', fields: 'id' }, 'records', '2'],
    [{ content: 'record' }, 'forms', 'base'],
    [{ content: 'record' }, 'events', 'none'],
    [{ content: 'metadata' }, 'fields', 'age'],
    [{ content: 'metadata' }, 'forms', 'base'],
    [{ content: 'project_xml' }, 'records', '2'],
  ] as const) {
    it(`of ${name} is empty for ${form.content} if the last one is blank`, async () => {
      const base = Object.entries(form);
      const timeless = (text: string): string => text.replace(/Metadata\.\S+|CreationDateTime="\S+"/g, '');

      const [whole] = await answer(...base);
      const [blank] = await answer(...base, [`${name}[1]`, value], [name, '']);

      expect(timeless(blank)).to.equal(timeless(whole));
    });
  }

  for (const [content, action, name] of [
    ['record', 'delete', 'records'],
    ['user', 'delete', 'users'],
    ['userRole', 'delete', 'roles'],
    ['dag', 'delete', 'dags'],
  ] as const) {
    it(`deletes nothing of ${content} if the last one is blank`, async () => {
      const [text] = await answer(['content', content], ['action', action], [`${name}[1]`, '2'], [name, '']);

      expect(text).to.equal(`ERROR: The value of the parameter "${name}" is not valid`);
    });
  }
});
