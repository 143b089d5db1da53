import { expect } from 'chai';
import { createCrfClient, type CrfClient } from '../../../src/client.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { rejection } from '../../support/rejection.js';
import { runCrf } from '../../support/run-crf.js';
import { armsStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

/** Asks for one thing that the project does not have, on each surface that can ask for it. */
interface Question {
  /** The request; its body as JSON. */
  readonly rest?: readonly [method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object];
  readonly client?: (client: CrfClient) => Promise<unknown>;
  /** The arguments of `crf`. */
  readonly crf?: readonly string[];
  /** What is piped to `crf`. */
  readonly input?: unknown;
}

/** A survey that exists. */
const SURVEY = { record: '1', instrument: 'enrol', event: 'start_arm_1' };

const drain = async (rows: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of rows) continue;
};

/** What stands in the path is not there: 404, with one code for each kind of thing. */
const IN_PATH: Readonly<Record<string, Question & { readonly code: string }>> = {
  'an arm to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/arms/7'],
    client: ({ arms }) => arms.delete([7]),
    crf: ['arms', 'delete', '7', '--yes'],
  },
  'an event to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/events/nope_arm_1'],
    client: ({ events }) => events.delete(['nope_arm_1']),
    crf: ['events', 'delete', 'nope_arm_1', '--yes'],
  },
  'a group to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/dags/nope'],
    client: ({ dags }) => dags.delete(['nope']),
    crf: ['dags', 'delete', 'nope', '--yes'],
  },
  'a role to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/roles/U-NOPE'],
    client: ({ roles }) => roles.delete(['U-NOPE']),
    crf: ['roles', 'delete', 'U-NOPE', '--yes'],
  },
  'a user to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/users/nobody'],
    client: ({ users }) => users.delete(['nobody']),
    crf: ['users', 'delete', 'nobody', '--yes'],
  },
  'the rows of an instrument': { code: 'name_not_found', rest: ['get', '/instruments/nope/rows'] },
  'the distribution of a field': { code: 'name_not_found', rest: ['get', '/project/summary/fields/nope'] },
  'a record': {
    code: 'record_not_found',
    rest: ['get', '/records/NOPE'],
    client: (client) => client.getRecord('NOPE'),
  },
  'a record to delete': {
    code: 'record_not_found',
    rest: ['delete', '/records/NOPE'],
    client: ({ records }) => records.delete(['NOPE']),
    crf: ['records', 'delete', 'NOPE', '--yes'],
  },
  'a record to change': {
    code: 'record_not_found',
    rest: ['patch', '/records/NOPE', { rows: [{ redcap_event_name: 'start_arm_1', note: 'x' }] }],
  },
  'a record to rename': {
    code: 'record_not_found',
    rest: ['post', '/records/NOPE/rename', { newRecord: 'OTHER' }],
    client: ({ records }) => records.rename('NOPE', 'OTHER'),
    crf: ['records', 'rename', 'NOPE', 'OTHER', '--yes'],
  },
  'a record to print': {
    code: 'record_not_found',
    rest: ['get', '/records/NOPE/pdf'],
    client: ({ pdf }) => pdf.get({ record: 'NOPE' }),
    crf: ['pdf', '--record', 'NOPE', '-o', '-'],
  },
  'a record of a survey': {
    code: 'record_not_found',
    rest: ['get', '/records/NOPE/surveys/enrol/link?event=start_arm_1'],
    client: ({ surveys }) => surveys.getLink({ ...SURVEY, record: 'NOPE' }),
    crf: ['surveys', 'link', 'NOPE', 'enrol', '--event', 'start_arm_1'],
  },
  'a record of a return code': {
    code: 'record_not_found',
    rest: ['get', '/records/NOPE/surveys/enrol/return-code?event=start_arm_1'],
    client: ({ surveys }) => surveys.getReturnCode({ ...SURVEY, record: 'NOPE' }),
    crf: ['surveys', 'return-code', 'NOPE', 'enrol', '--event', 'start_arm_1'],
  },
  'a record of a survey queue': {
    code: 'record_not_found',
    rest: ['get', '/records/NOPE/surveys/queue-link'],
    client: ({ surveys }) => surveys.getQueueLink('NOPE'),
    crf: ['surveys', 'queue-link', 'NOPE'],
  },
  'the instrument of a survey': {
    code: 'name_not_found',
    rest: ['get', '/records/1/surveys/nope/link?event=start_arm_1'],
  },
  'a survey, of an instrument that is none': {
    code: 'name_not_found',
    rest: ['get', '/records/1/surveys/meds/link?event=start_arm_1'],
  },
  'the instrument of a return code': {
    code: 'name_not_found',
    rest: ['get', '/records/1/surveys/nope/return-code?event=start_arm_1'],
  },
  'the instrument of an access code': {
    code: 'name_not_found',
    rest: ['get', '/surveys/nope/access-code?record=1&event=start_arm_1'],
  },
  'the instrument of participants': {
    code: 'name_not_found',
    rest: ['get', '/surveys/nope/participants?event=start_arm_1'],
  },
  'the field of a file': { code: 'name_not_found', rest: ['get', '/records/1/files/nope?event=start_arm_1'] },
  'a file field, of a field that is none': {
    code: 'name_not_found',
    rest: ['get', '/records/1/files/name?event=start_arm_1'],
  },
  'the field of a file to store': {
    code: 'name_not_found',
    rest: ['put', '/records/1/files/nope?event=start_arm_1&fileName=a.txt', {}],
  },
  'the field of a file to delete': {
    code: 'name_not_found',
    rest: ['delete', '/records/1/files/nope?event=start_arm_1'],
  },
  'the file of a record': {
    code: 'file_not_found',
    rest: ['get', '/records/2/files/consent?event=start_arm_2'],
    client: ({ files }) => files.get({ record: '2', field: 'consent', event: 'start_arm_2' }),
    crf: ['files', 'get', '2', 'consent', '--event', 'start_arm_2', '-o', '-'],
  },
  'the file of a record to delete': {
    code: 'file_not_found',
    rest: ['delete', '/records/2/files/consent?event=start_arm_2'],
    client: ({ files }) => files.delete({ record: '2', field: 'consent', event: 'start_arm_2' }),
    crf: ['files', 'delete', '2', 'consent', '--event', 'start_arm_2', '--yes'],
  },
  'the record of a file': {
    code: 'record_not_found',
    rest: ['put', '/records/NOPE/files/consent?event=start_arm_1&fileName=a.txt', {}],
    client: ({ files }) =>
      files.put(
        { record: 'NOPE', field: 'consent', event: 'start_arm_1' },
        { name: 'a.txt', bytes: [Buffer.from('a')] },
      ),
  },
  'a person': {
    code: 'user_not_found',
    rest: ['get', '/people/nobody%40example.org'],
    crf: ['people', 'nobody@example.org'],
  },
  'a report': {
    code: 'report_not_found',
    rest: ['get', '/reports/99'],
    client: ({ reports }) => reports.get(99),
    crf: ['reports', 'get', '99'],
  },
  'a file of the repository': {
    code: 'file_not_found',
    rest: ['get', '/file-repository/999'],
    client: (client) => client.fileRepository.get(999),
    crf: ['file-repository', 'get', '999', '-o', '-'],
  },
  'what is said of a file of the repository': {
    code: 'file_not_found',
    rest: ['get', '/file-repository/999/info'],
    client: (client) => client.fileRepository.info(999),
    crf: ['file-repository', 'info', '999'],
  },
  'a file of the repository to delete': {
    code: 'file_not_found',
    rest: ['delete', '/file-repository/999'],
    client: (client) => client.fileRepository.delete(999),
    crf: ['file-repository', 'delete', '999', '--yes'],
  },
};

/** A name in a parameter or a body is that of nothing: 400 with one code, whether we noticed it or REDCap. */
const IN_PARAMETER: Readonly<Record<string, Question>> = {
  'a field of records': {
    rest: ['get', '/records?fields=agee'],
    client: (client) => client.exportRecords({ fields: ['agee'] }),
    crf: ['export', '--fields', 'agee'],
  },
  'an instrument of records': {
    rest: ['get', '/records?forms=nope'],
    client: (client) => client.exportRecords({ forms: ['nope'] }),
    crf: ['export', '--forms', 'nope'],
  },
  'an event of records': {
    rest: ['get', '/records?events=nope_arm_1'],
    client: (client) => client.exportRecords({ events: ['nope_arm_1'] }),
    crf: ['export', '--events', 'nope_arm_1'],
  },
  'a field in filter logic': {
    rest: ['get', '/records?filterLogic=%5Bagee%5D%3E3'],
    client: (client) => client.exportRecords({ filterLogic: '[agee]>3' }),
    crf: ['export', '--filter-logic', '[agee]>3'],
  },
  'a field in a body': { rest: ['post', '/records/query', { fields: ['agee'] }] },
  'a field of the dictionary': {
    rest: ['get', '/project/fields?fields=agee'],
    client: (client) => client.fields.list({ fields: ['agee'] }),
  },
  'an instrument of the dictionary': {
    rest: ['get', '/project/fields?forms=nope'],
    client: (client) => client.fields.list({ forms: ['nope'] }),
  },
  'a field of the export field names': { rest: ['get', '/project/export-field-names?field=agee'] },
  'an instrument of a PDF': {
    rest: ['get', '/project/instruments/pdf?instrument=nope'],
    client: ({ pdf }) => pdf.get({ instrument: 'nope' }),
    crf: ['pdf', '-o', '-', '--instrument', 'nope'],
  },
  'an event of a PDF': {
    rest: ['get', '/records/1/pdf?event=nope_arm_1'],
    client: ({ pdf }) => pdf.get({ record: '1', event: 'nope_arm_1' }),
    crf: ['pdf', '-o', '-', '--record', '1', '--event', 'nope_arm_1'],
  },
  'a field of a project as XML': {
    rest: ['get', '/project/xml?fields=agee'],
    client: ({ project }) => project.openXml({ fields: ['agee'] }),
  },
  'an event of a project as XML': {
    rest: ['get', '/project/xml?events=nope_arm_1'],
    client: ({ project }) => project.openXml({ events: ['nope_arm_1'] }),
  },
  'the event of rows': { rest: ['get', '/instruments/enrol/rows?events=nope_arm_1'] },
  'the event of a survey': {
    rest: ['get', '/records/1/surveys/enrol/link?event=nope_arm_1'],
    client: ({ surveys }) => surveys.getLink({ ...SURVEY, event: 'nope_arm_1' }),
    crf: ['surveys', 'link', '1', 'enrol', '--event', 'nope_arm_1'],
  },
  'the event of participants': {
    rest: ['get', '/surveys/enrol/participants?event=nope_arm_1'],
    client: ({ surveys }) => surveys.listParticipants({ instrument: 'enrol', event: 'nope_arm_1' }),
    crf: ['surveys', 'participants', 'enrol', '--event', 'nope_arm_1'],
  },
  'the instrument of a survey, of the client': {
    client: ({ surveys }) => surveys.getLink({ ...SURVEY, instrument: 'nope' }),
    crf: ['surveys', 'link', '1', 'nope', '--event', 'start_arm_1'],
  },
  'a survey, of an instrument that is none, of the client': {
    client: ({ surveys }) => surveys.getLink({ ...SURVEY, instrument: 'meds' }),
    crf: ['surveys', 'link', '1', 'meds', '--event', 'start_arm_1'],
  },
  'a survey with a code, of an instrument that is none, of the client': {
    client: ({ surveys }) => surveys.getAccessCode({ ...SURVEY, instrument: 'meds' }),
    crf: ['surveys', 'access-code', '1', 'meds', '--event', 'start_arm_1'],
  },
  'a survey with participants, of an instrument that is none, of the client': {
    client: ({ surveys }) => surveys.listParticipants({ instrument: 'meds', event: 'start_arm_1' }),
    crf: ['surveys', 'participants', 'meds', '--event', 'start_arm_1'],
  },
  'the event of a file': {
    rest: ['get', '/records/1/files/consent?event=nope_arm_1'],
    client: ({ files }) => files.get({ record: '1', field: 'consent', event: 'nope_arm_1' }),
    crf: ['files', 'get', '1', 'consent', '--event', 'nope_arm_1', '-o', '-'],
  },
  'the field of a file, of the client': {
    client: ({ files }) => files.get({ record: '1', field: 'nope', event: 'start_arm_1' }),
    crf: ['files', 'get', '1', 'nope', '--event', 'start_arm_1', '-o', '-'],
  },
  'a group of the log': {
    rest: ['get', '/log?dag=nope'],
    client: ({ log }) => log.list({ dag: 'nope' }),
    crf: ['log', '--dag', 'nope'],
  },
  'a type of the log': {
    rest: ['get', '/log?type=nope'],
    client: ({ log }) => log.list({ type: 'nope' as never }),
    crf: ['log', '--type', 'nope'],
  },
  'a group of forms': { rest: ['get', '/project/incomplete?dag=nope'], crf: ['incomplete', '--dag', 'nope'] },
  'an instrument of forms': {
    rest: ['get', '/project/incomplete?instrument=nope'],
    crf: ['incomplete', '--instrument', 'nope'],
  },
  'an event of forms': {
    rest: ['get', '/project/incomplete?event=nope_arm_1'],
    crf: ['incomplete', '--event', 'nope_arm_1'],
  },
  'an arm of forms': { rest: ['get', '/project/incomplete?arm=7'], crf: ['incomplete', '--arm', '7'] },
  'a group of visits': { rest: ['get', '/project/due?dag=nope'], crf: ['due', '--dag', 'nope'] },
  'a folder of the repository': {
    rest: ['get', '/file-repository?folder=999'],
    client: ({ fileRepository }) => fileRepository.list(999),
    crf: ['file-repository', 'list', '--folder', '999'],
  },
  'the folder of a new file': { rest: ['post', '/file-repository?folder=999&fileName=a.txt', {}] },
  'the folder of a folder': {
    rest: ['post', '/file-repository/folders', { name: 'x', parent: 999 }],
    client: ({ fileRepository }) => fileRepository.createFolder({ name: 'x', parent: 999 }),
    crf: ['file-repository', 'create-folder', 'x', '--parent', '999'],
  },
  'the group of a folder': {
    rest: ['post', '/file-repository/folders', { name: 'x', dagId: 999 }],
    client: ({ fileRepository }) => fileRepository.createFolder({ name: 'x', dagId: 999 }),
    crf: ['file-repository', 'create-folder', 'x', '--dag-id', '999'],
  },
  'the role of a folder': {
    rest: ['post', '/file-repository/folders', { name: 'x', roleId: 999 }],
    client: ({ fileRepository }) => fileRepository.createFolder({ name: 'x', roleId: 999 }),
    crf: ['file-repository', 'create-folder', 'x', '--role-id', '999'],
  },
  'the instrument of a part to delete': {
    rest: ['delete', '/records/1?instrument=nope&event=start_arm_1'],
    client: ({ records }) => records.delete(['1'], { instrument: 'nope', event: 'start_arm_1' }),
    crf: ['records', 'delete', '1', '--instrument', 'nope', '--event', 'start_arm_1', '--yes'],
  },
  'the event of a part to delete': {
    rest: ['delete', '/records/1?event=nope_arm_1'],
    client: ({ records }) => records.delete(['1'], { event: 'nope_arm_1' }),
    crf: ['records', 'delete', '1', '--event', 'nope_arm_1', '--yes'],
  },
  'the arm of a part to delete': {
    rest: ['delete', '/records/1?arm=7'],
    client: ({ records }) => records.delete(['1'], { arm: 7 }),
    crf: ['records', 'delete', '1', '--arm', '7', '--yes'],
  },
  'a field of the settings': {
    rest: ['patch', '/project/info', { secondaryUniqueField: 'agee' }],
    crf: ['info', 'put', '-', '--yes'],
    input: { secondaryUniqueField: 'agee' },
  },
  'the arm of an event': {
    rest: ['put', '/project/events', { data: [{ label: 'x', arm: 7 }] }],
    client: ({ events }) => events.put([{ label: 'x', arm: 7 }]),
    crf: ['events', 'put', '-', '--yes'],
    input: [{ label: 'x', arm: 7 }],
  },
  'a group to switch to': { client: ({ dags }) => dags.switch('nope'), crf: ['dags', 'switch', 'nope'] },
  'an instrument to check': {
    rest: ['get', '/project/quality?forms=nope'],
    crf: ['quality', '--forms', 'nope'],
  },
  'the rows of an instrument, of the client': {
    client: (client) => drain(client.rows('nope')),
    crf: ['export', '--instrument', 'nope'],
  },
  'the event of a mapping': {
    rest: ['put', '/project/mappings', { data: [{ arm: 1, event: 'nope_arm_1', instrument: 'enrol' }] }],
    crf: ['mappings', 'put', '-', '--yes'],
    input: [{ arm: 1, event: 'nope_arm_1', instrument: 'enrol' }],
  },
  'the instrument of what repeats': {
    rest: [
      'put',
      '/project/repeating',
      { data: [{ event: 'start_arm_1', instrument: 'nope', customLabel: '' }] },
    ],
    crf: ['repeating', 'put', '-', '--yes'],
    input: [{ event: 'start_arm_1', instrument: 'nope', customLabel: '' }],
  },
  'the group of a user': {
    rest: ['put', '/project/users', { data: [{ username: 'a', dag: 'nope' }] }],
    crf: ['users', 'put', '-'],
    input: [{ username: 'a', dag: 'nope' }],
  },
  'the group of an assignment': {
    rest: ['put', '/project/dag-assignments', { data: [{ username: 'monitor', dag: 'nope' }] }],
    crf: ['dag-assignments', 'put', '-'],
    input: [{ username: 'monitor', dag: 'nope' }],
  },
  'the role of an assignment': {
    rest: ['put', '/project/role-assignments', { data: [{ username: 'monitor', role: 'U-NOPE' }] }],
    crf: ['role-assignments', 'put', '-'],
    input: [{ username: 'monitor', role: 'U-NOPE' }],
  },
};

describe('What does not exist', function () {
  this.timeout(60_000);

  let service: StudyService;
  let client: CrfClient;
  before(async () => {
    service = await startStudyService({
      ...armsStudy(),
      surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
    });
    client = createCrfClient({ url: service.redcapUrl, token: DEMO_TOKEN });
  });
  after(async () => {
    client.close();
    await service.close();
  });

  const crf = (args: readonly string[], input: unknown) =>
    runCrf(args, {
      input: input === undefined ? '' : JSON.stringify(input),
      environment: {
        CAPTURE_API_URL: service.redcapUrl,
        CAPTURE_API_TOKEN: DEMO_TOKEN,
        RECORD_ID_MIN_LENGTH: '1',
      },
    });

  const asks = (
    table: Readonly<Record<string, Question>>,
    status: number,
    exit: number,
    codeOf: (what: string) => string,
  ) => {
    for (const [what, { rest, client: call, crf: args, input }] of Object.entries(table)) {
      if (rest !== undefined)
        it(`REST: ${what}`, async () => {
          const { body, status: answered } = await service.send(...rest);
          expect({ status: answered, code: body.code }).to.deep.equal({ status, code: codeOf(what) });
        });
      if (call !== undefined)
        it(`client: ${what}`, async () => {
          expect(await rejection(call(client))).to.have.property('code', codeOf(what));
        });
      if (args !== undefined)
        it(`crf ${args.join(' ')}`, async () => {
          const { exitCode, stdout, stderr } = await crf(args, input);
          expect({ exitCode, stdout }, stderr).to.deep.equal({ exitCode: exit, stdout: '' });
        });
    }
  };

  describe('in the path is 404, and exit code 1', () =>
    asks(IN_PATH, 404, 1, (what) => IN_PATH[what]?.code ?? ''));

  describe('in a parameter or a body is 400 invalid_request, and exit code 2, as any call that is not valid', () =>
    asks(IN_PARAMETER, 400, 2, () => 'invalid_request'));

  // They are data, and may have been there once: the log still has them.
  for (const path of [
    '/records?records=NOPE',
    '/project/quality?records=NOPE',
    '/log?record=NOPE',
    '/log?user=nobody',
  ])
    it(`has nothing where a record or a user only selects: ${path}`, async () => {
      const { body } = await service.send('get', path).expect(200);
      expect(body.data).to.deep.equal([]);
    });
});
