import { expect } from 'chai';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import type { Fault, FaultServer } from '../../../support/fault-server.js';
import { rejection } from '../../../support/rejection.js';
import { SENTINEL_TOKEN, withFaults } from '../../../support/fault-client.js';

/** Returns the form of a request without the fields that every request has. */
function sent(server: FaultServer, index = 0): Record<string, string> {
  const { token, returnFormat, ...form } = Object.fromEntries(server.requests[index]?.form ?? []);
  expect({ token, returnFormat }).to.deep.equal({ token: SENTINEL_TOKEN, returnFormat: 'json' });
  return form;
}

interface Case {
  readonly name: string;
  readonly call: (client: CrfClient) => Promise<unknown>;
  readonly answer: string;
  readonly form: Record<string, string>;
  readonly result: unknown;
}

const EXPORT = { content: 'record', action: 'export', type: 'flat', format: 'json' };
const IMPORT = {
  content: 'record',
  action: 'import',
  format: 'json',
  type: 'flat',
  overwriteBehavior: 'normal',
  forceAutoNumber: 'false',
  returnContent: 'count',
};

const CASES: readonly Case[] = [
  {
    name: 'getVersion',
    call: (client) => client.getVersion(),
    answer: '16.1.9\n',
    form: { content: 'version', format: 'json' },
    result: '16.1.9',
  },
  {
    name: 'instruments.list',
    call: (client) => client.instruments.list(),
    answer: '[{"instrument_name":"visit_1","instrument_label":"Visit <b>1<\\/b>","new_key":1}]',
    form: { content: 'instrument', format: 'json' },
    result: [{ name: 'visit_1', label: 'Visit <b>1</b>' }],
  },
  {
    name: 'exportFieldNames.list',
    call: (client) => client.exportFieldNames.list({ field: 'sites' }),
    answer: '[{"original_field_name":"sites","choice_value":2,"export_field_name":"sites___2"}]',
    form: { content: 'exportFieldNames', field: 'sites', format: 'json' },
    result: [{ field: 'sites', code: '2', column: 'sites___2' }],
  },
  {
    name: 'arms.list',
    call: (client) => client.arms.list(),
    answer: '[{"arm_num":"1","name":"Drug A"}]',
    form: { content: 'arm', format: 'json' },
    result: [{ number: 1, name: 'Drug A' }],
  },
  {
    name: 'events.list',
    call: (client) => client.events.list(),
    answer:
      '[{"event_name":"Baseline","arm_num":1,"unique_event_name":"baseline_arm_1","custom_event_label":null,"event_id":7}]',
    form: { content: 'event', format: 'json' },
    result: [{ label: 'Baseline', arm: 1, uniqueName: 'baseline_arm_1', customLabel: '', id: 7 }],
  },
  {
    name: 'mappings.list',
    call: (client) => client.mappings.list(),
    answer: '[{"arm_num":1,"unique_event_name":"baseline_arm_1","form":"visit_1"}]',
    form: { content: 'formEventMapping', format: 'json' },
    result: [{ arm: 1, event: 'baseline_arm_1', instrument: 'visit_1' }],
  },
  {
    name: 'repeating.list (classic)',
    call: (client) => client.repeating.list(),
    answer: '[{"form_name":"meds","custom_form_label":"[drug]"}]',
    form: { content: 'repeatingFormsEvents', format: 'json' },
    result: [{ event: '', instrument: 'meds', customLabel: '[drug]' }],
  },
  {
    name: 'exportRecords',
    call: (client) => client.exportRecords({ fields: ['record_id', 'age'], filterLogic: '[age] >= 18' }),
    answer: '[{"record_id":"a","redcap_repeat_instance":1,"age":"40"}]',
    form: { ...EXPORT, 'fields[0]': 'record_id', 'fields[1]': 'age', filterLogic: '[age] >= 18' },
    result: [{ record_id: 'a', redcap_repeat_instance: 1, age: '40' }],
  },
  {
    name: 'exportRecords with every option',
    call: (client) =>
      client.exportRecords({
        records: ['1', 'é, ü'],
        forms: ['visit_1'],
        events: ['baseline_arm_1'],
        type: 'eav',
        rawOrLabel: 'label',
        exportCheckboxLabel: true,
        exportSurveyFields: false,
        exportDataAccessGroups: true,
        from: '2026-01-01',
        decimalCharacter: ',',
        exportBlankForGrayFormStatus: true,
      }),
    answer: '[]',
    form: {
      ...EXPORT,
      type: 'eav',
      'records[0]': '1',
      'records[1]': 'é, ü',
      'forms[0]': 'visit_1',
      'events[0]': 'baseline_arm_1',
      rawOrLabel: 'label',
      exportCheckboxLabel: 'true',
      exportSurveyFields: 'false',
      exportDataAccessGroups: 'true',
      dateRangeBegin: '2026-01-01 00:00:00',
      decimalCharacter: ',',
      exportBlankForGrayFormStatus: 'true',
    },
    result: [],
  },
  {
    name: 'importRecords',
    call: (client) =>
      client.importRecords([{ record_id: 'a', age: 4, ok: true, no: false, gone: null }], { check: false }),
    answer: '{"count":1}',
    form: { ...IMPORT, data: '[{"record_id":"a","age":4,"ok":"1","no":"0","gone":""}]' },
    result: { count: 1 },
  },
  {
    name: 'importData in CSV, with ids',
    call: (client) =>
      client.importData('record_id;age\na;1\n', {
        format: 'csv',
        csvDelimiter: ';',
        returnContent: 'ids',
        overwriteBehavior: 'overwrite',
        dateFormat: 'DMY',
      }),
    answer: '["a"]',
    form: {
      ...IMPORT,
      format: 'csv',
      csvDelimiter: ';',
      returnContent: 'ids',
      overwriteBehavior: 'overwrite',
      dateFormat: 'DMY',
      data: 'record_id;age\na;1\n',
    },
    result: { count: 1, ids: ['a'] },
  },
  {
    name: 'importData in CSV, with the delimiter that the server may not have as its default',
    call: (client) => client.importData('record_id,age\na,1\n', { format: 'csv' }),
    answer: '{"count":1}',
    form: { ...IMPORT, format: 'csv', csvDelimiter: ',', data: 'record_id,age\na,1\n' },
    result: { count: 1 },
  },
  {
    name: 'openRecords in CSV, with the delimiter too',
    call: async (client) =>
      Buffer.concat(await (await client.openRecords({ format: 'csv' })).toArray()).toString(),
    answer: 'record_id,age\na,1\n',
    form: { ...EXPORT, format: 'csv', csvDelimiter: ',' },
    result: 'record_id,age\na,1\n',
  },
  {
    name: 'reports.open in CSV, with the delimiter too',
    call: async (client) =>
      Buffer.concat(await (await client.reports.open(1, { format: 'csv' })).toArray()).toString(),
    answer: 'record_id,age\na,1\n',
    form: { content: 'report', action: 'export', report_id: '1', format: 'csv', csvDelimiter: ',' },
    result: 'record_id,age\na,1\n',
  },
  {
    name: 'importRecords with automatic numbering',
    call: (client) =>
      client.importRecords([{ record_id: '7' }], {
        ...{ check: false, forceAutoNumber: true, returnContent: 'auto_ids' },
      }),
    answer: '["1101,7"]',
    form: { ...IMPORT, forceAutoNumber: 'true', returnContent: 'auto_ids', data: '[{"record_id":"7"}]' },
    result: { count: 1, ids: ['1101'] },
  },
  {
    name: 'records.delete',
    call: (client) =>
      client.records.delete(['a', 'b'], {
        arm: 2,
        instrument: 'visit_1',
        event: 'x_arm_2',
        instance: 3,
      }),
    answer: '2',
    form: {
      content: 'record',
      action: 'delete',
      'records[0]': 'a',
      'records[1]': 'b',
      arm: '2',
      instrument: 'visit_1',
      event: 'x_arm_2',
      repeat_instance: '3',
      format: 'json',
    },
    result: 2,
  },
  {
    name: 'records.nextId',
    call: (client) => client.records.nextId(),
    answer: '20-1',
    form: { content: 'generateNextRecordName', format: 'json' },
    result: '20-1',
  },
  {
    name: 'users.list',
    call: (client) => client.users.list(),
    answer:
      '[{"username":"ada","email":"Ada@example.org","firstname":"Ada","lastname":"L","expiration":"","data_access_group":null,"design":1,"forms":{"visit_1":1}}]',
    form: { content: 'user', format: 'json' },
    result: [
      {
        username: 'ada',
        email: 'Ada@example.org',
        firstName: 'Ada',
        lastName: 'L',
        expiration: '',
        dag: '',
        rights: { design: 1 },
        forms: { visit_1: 1 },
        formsExport: {},
      },
    ],
  },
];

describe('redcapGateway', () => {
  for (const { name, call, answer, form, result } of CASES) {
    it(`${name} sends exactly its parameters and reads the answer`, async () => {
      await withFaults(
        () => ({ kind: 'answer', body: answer }),
        async ({ client, server }) => {
          expect(await call(client)).to.deep.equal(result);
          // Logic is first checked against the data dictionary, which may need another call.
          expect(sent(server, server.requests.length - 1)).to.deep.equal(form);
          const headers: Record<string, unknown> = server.requests.at(-1)?.headers ?? {};
          expect(headers).to.include({ 'accept-encoding': 'identity' });
          const isImport = Object.hasOwn(form, 'data');
          expect(headers['content-type']).to.match(
            isImport ? /^multipart\/form-data; / : /^application\/x-www-form-urlencoded$/,
          );
        },
      );
    });
  }

  it('project.getInfo reads 0 and 1 as booleans, both as numbers and as strings', async () => {
    const project = {
      project_id: '14',
      project_title: 'Cohort',
      in_production: 0,
      purpose: '2',
      is_longitudinal: '1',
      surveys_enabled: 1,
      unknown_key: {},
    };
    await withFaults(
      () => ({ kind: 'answer', body: JSON.stringify(project) }),
      async ({ client }) => {
        expect(await client.project.getInfo()).to.include({
          id: 14,
          title: 'Cohort',
          isInProduction: false,
          purpose: 2,
          isLongitudinal: true,
          surveysEnabled: true,
          irbNumber: '',
        });
      },
    );
  });

  it('fields.list reads the data dictionary', async () => {
    const row = {
      field_name: 'age',
      form_name: 'visit_1',
      field_type: 'text',
      field_label: 'Age',
      identifier: 'y',
      required_field: '',
    };
    await withFaults(
      () => ({ kind: 'answer', body: JSON.stringify([row]) }),
      async ({ client, server }) => {
        const [field] = await client.fields.list({ fields: ['age'], forms: ['visit_1'] });

        expect(field).to.include({
          name: 'age',
          instrument: 'visit_1',
          isIdentifier: true,
          isRequired: false,
          note: '',
        });
        expect(sent(server)).to.include({ content: 'metadata', 'fields[0]': 'age', 'forms[0]': 'visit_1' });
      },
    );
  });

  const CLASSIC: readonly (readonly [
    name: string,
    text: string,
    call: (client: CrfClient) => Promise<unknown>,
  ])[] = [
    ['arms.list', 'You cannot export arms for classic projects', (client) => client.arms.list()],
    ['events.list', 'You cannot export Events for classic projects', (client) => client.events.list()],
    [
      'mappings.list',
      'You cannot export form/event mappings for classic projects',
      (client) => client.mappings.list(),
    ],
    [
      'repeating.list',
      'You cannot export repeating instruments and events because the project does not contain any repeating instruments and events',
      (client) => client.repeating.list(),
    ],
  ];
  for (const [name, text, call] of CLASSIC) {
    it(`${name} returns an empty list if REDCap reports that the project has none`, async () => {
      // PHP escapes slashes in JSON.
      const body = JSON.stringify({ error: text }).replaceAll('/', String.raw`\/`);
      const fault: Fault = { kind: 'answer', status: 400, body };
      await withFaults(
        () => fault,
        async ({ client }) => {
          expect(await call(client)).to.deep.equal([]);
        },
      );
    });
  }

  it('refuses to delete an empty list and skips an empty import, without sending a request', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '[{"a":"b"}]' }),
      async ({ client, server }) => {
        expect(await rejection(client.records.delete([]))).to.have.property('code', 'invalid_request');
        expect(await client.importRecords([])).to.deep.equal({ count: 0 });
        expect(server.requests).to.deep.equal([]);
      },
    );
  });

  const REFUSED: readonly (readonly [
    what: string,
    call: (client: CrfClient) => Promise<unknown>,
    code: string,
  ])[] = [
    [
      'a field name with a bracket',
      (client) => client.exportRecords({ fields: ['a]'] }),
      'invalid_identifier',
    ],
    [
      'an instrument name with a blank',
      (client) => client.exportRecords({ forms: ['a b'] }),
      'invalid_identifier',
    ],
    [
      'an event without an arm',
      (client) => client.exportRecords({ events: ['baseline'] }),
      'invalid_identifier',
    ],
    [
      'a record id with a control character',
      (client) => client.exportRecords({ records: ['a\u0000'] }),
      'invalid_identifier',
    ],
    [
      'logic with a control character',
      (client) => client.exportRecords({ filterLogic: '[a]\u0000' }),
      'invalid_request',
    ],
    ['an invalid date', (client) => client.exportRecords({ until: 'yesterday' }), 'invalid_request'],
    ['NaN as a value', (client) => client.importRecords([{ record_id: 'a', age: NaN }]), 'invalid_request'],
    [
      'an unpaired surrogate',
      (client) => client.importData('a\n\uD800', { format: 'csv' }),
      'invalid_request',
    ],
  ];
  for (const [what, call, code] of REFUSED) {
    it(`IN-06: refuses ${what} before anything is sent`, async () => {
      await withFaults(
        () => ({ kind: 'answer', body: '[]' }),
        async ({ client, server }) => {
          expect(await rejection(call(client))).to.have.property('code', code);
          expect(server.requests).to.deep.equal([]);
        },
      );
    });
  }

  it('IN-06: keeps a value from becoming another parameter', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '[]' }),
      async ({ client, server }) => {
        await client.exportRecords({ filterLogic: "[a] = 'x'&content=user&fields[0]=b+c%20" });

        expect(sent(server)).to.deep.equal({
          ...EXPORT,
          filterLogic: "[a] = 'x'&content=user&fields[0]=b+c%20",
        });
      },
    );
  });

  const UNKNOWN_FIELD = {
    code: 'unknown_name',
    parameters: { kind: 'field' },
    message: 'is not a field of this project',
  };

  it('names the positions of unknown fields, and no values', async () => {
    const body = JSON.stringify({
      error: `The following values in the parameter "fields" are not valid: 'b', 'd'`,
    });
    await withFaults(
      () => ({ kind: 'answer', status: 400, body }),
      async ({ client }) => {
        const error = await rejection(client.exportRecords({ fields: ['a', 'b', 'c', 'd'] }));

        expect(error.errors).to.deep.equal([
          { field: 'fields[1]', name: 'b', ...UNKNOWN_FIELD },
          { field: 'fields[3]', name: 'd', ...UNKNOWN_FIELD },
        ]);
      },
    );
  });

  it('IN-07: reports the invalid cells of an import with our rules, without their values', async () => {
    const lines = [
      '"1 ""a""","age","sentinel","The value you provided could not be validated because it does not follow the expected format. Please try again."',
      '"2","sex","senti\nnel","The value is not a valid category for sex"',
      '"3","x","sentinel","Something sentinel new"',
      '"4","x","sentinel","This field is not available for the sentinel ""record""."',
      '"5","redcap_data_access_group","sentinel","The value is not a valid category for redcap_data_access_group"',
    ];
    const body = JSON.stringify({ error: lines.join('\n') });
    await withFaults(
      () => ({ kind: 'answer', status: 400, body }),
      async ({ client }) => {
        const error = await rejection(client.importRecords([{ record_id: '1', age: 'sentinel' }]));

        expect(error).to.have.property('code', 'invalid_records');
        expect(error.errors).to.deep.equal([
          { record: '1 "a"', field: 'age', message: 'does not have the format of the field' },
          { record: '2', field: 'sex', message: 'must be the code of one of the choices' },
          { record: '3', field: 'x', message: 'was refused by REDCap' },
          {
            ...{ record: '4', field: 'x' },
            message: 'was refused by REDCap, saying "This field is not available for the …"',
          },
          {
            ...{ record: '5', field: 'redcap_data_access_group' },
            message:
              "must be the unique name of a data access group of the project, and the token's user in no group",
          },
        ]);
      },
    );
  });

  it('findProjectUser returns the only match, and refuses none or several', async () => {
    const users = [
      { username: 'ada', email: 'Ada@Example.org' },
      { username: 'bob', email: 'shared@example.org' },
      { username: 'eve', email: 'shared@example.org' },
    ];
    await withFaults(
      () => ({ kind: 'answer', body: JSON.stringify(users) }),
      async ({ client }) => {
        expect(await client.findProjectUser('ada@example.org')).to.have.property('username', 'ada');
        expect(await rejection(client.findProjectUser('x@example.org'))).to.have.property(
          'code',
          'user_not_found',
        );
        expect(await rejection(client.findProjectUser('shared@example.org'))).to.have.property(
          'code',
          'ambiguous_user',
        );
      },
    );
  });

  it('caches the structure but no records, and clears the cache after every change of the project', async () => {
    await withFaults(
      ({ form }) => ({ kind: 'answer', body: form.get('action') === 'import' ? '{"count":1}' : '[]' }),
      async ({ client, server }) => {
        await Promise.all([client.instruments.list(), client.instruments.list(), client.instruments.list()]);
        expect(server.requests).to.have.length(1);
        await client.exportRecords();
        await client.exportRecords();
        expect(server.requests).to.have.length(3);
        await client.importRecords([{ record_id: 'a' }], { check: false });
        await client.instruments.list();
        expect(server.requests).to.have.length(4);
        await client.arms.put([{ number: 1, name: 'A' }]).catch(() => undefined);
        await client.instruments.list();
        expect(server.requests).to.have.length(6);
        client.clearCache();
        await client.instruments.list();
        expect(server.requests).to.have.length(7);
      },
      { resilience: { cacheMs: 60_000 } },
    );
  });

  it('returns a separate list to each caller', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '[{"instrument_name":"a","instrument_label":"A"}]' }),
      async ({ client }) => {
        (await client.instruments.list()).pop();
        expect(await client.instruments.list()).to.have.length(1);
      },
      { resilience: { cacheMs: 60_000 } },
    );
  });
});
