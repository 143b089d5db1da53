import { expect } from 'chai';
import { createCrfClient, type CrfClient } from '../../../src/client.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { rejection } from '../../support/rejection.js';
import { runCrf } from '../../support/run-crf.js';
import { longitudinalStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

/** Asks for one thing that the project does not have, on each surface that can ask for it. */
interface Question {
  /** The request; its body as JSON. */
  readonly rest?: readonly [method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object];
  readonly client?: (client: CrfClient) => Promise<unknown>;
  /** The arguments of `crf`. */
  readonly crf?: readonly string[];
  /** What is piped to `crf`. */
  readonly input?: unknown;
}

const drain = async (rows: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of rows) continue;
};

/** What stands in the path is not there: 404, with one code for each kind of thing. */
const IN_PATH: Readonly<Record<string, Question & { readonly code: string }>> = {
  'an arm to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/arms/7'],
    crf: ['arms', 'delete', '7', '--yes'],
  },
  'an event to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/events/nope_arm_1'],
    crf: ['events', 'delete', 'nope_arm_1', '--yes'],
  },
  'a group to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/dags/nope'],
    crf: ['dags', 'delete', 'nope', '--yes'],
  },
  'a role to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/roles/U-NOPE'],
    crf: ['roles', 'delete', 'U-NOPE', '--yes'],
  },
  'a user to delete': {
    code: 'name_not_found',
    rest: ['delete', '/project/users/nobody'],
    crf: ['users', 'delete', 'nobody', '--yes'],
  },
  'the rows of an instrument': { code: 'name_not_found', rest: ['get', '/instruments/nope/rows'] },
  'the dataset of an instrument': { code: 'name_not_found', rest: ['get', '/instruments/nope/dataset'] },
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
  'an instrument to check': {
    rest: ['get', '/project/quality?forms=nope'],
    crf: ['quality', '--forms', 'nope'],
  },
  'the rows of an instrument, of the client': {
    client: (client) => drain(client.rows('nope')),
    crf: ['export', '--instrument', 'nope'],
  },
  'the event of a mapping': {
    rest: [
      'put',
      '/project/mappings',
      { data: [{ arm: 1, event: 'nope_arm_1', instrument: 'demographics' }] },
    ],
    crf: ['mappings', 'put', '-', '--yes'],
    input: [{ arm: 1, event: 'nope_arm_1', instrument: 'demographics' }],
  },
  'the instrument of what repeats': {
    rest: [
      'put',
      '/project/repeating',
      { data: [{ event: 'baseline_arm_1', instrument: 'nope', customLabel: '' }] },
    ],
    crf: ['repeating', 'put', '-', '--yes'],
    input: [{ event: 'baseline_arm_1', instrument: 'nope', customLabel: '' }],
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
    service = await startStudyService(longitudinalStudy());
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
});
