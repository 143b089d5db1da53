import { expect } from 'chai';
import fc from 'fast-check';
import { Caller } from '../../../../src/sandbox/redcap/caller.js';
import { answerCall, CONTENTS } from '../../../../src/sandbox/redcap/content-table.js';
import { fillProject } from '../../../../src/sandbox/redcap/records/load-rows.js';
import { SandboxProject } from '../../../../src/sandbox/redcap/project.js';
import { ServerVersion } from '../../../../src/wire/server-version.js';
import { ApiFailure } from '../../../../src/wire/api-failure.js';
import { Parameters } from '../../../../src/wire/parameters.js';
import { writeAnswer } from '../../../../src/wire/write-answer.js';
import { groupsStudy, OTHERS, OWN, SECRETS } from '../../../support/groups-study.js';
import { projectXmlOf } from '../../../support/project-xml-of.js';

const RECORDS = [OWN, ...OTHERS, ''];

const CALL = fc.record({
  content: fc.constantFrom(...Object.keys(CONTENTS)),
  action: fc.constantFrom(
    'export',
    'import',
    'delete',
    'rename',
    'randomize',
    'switch',
    'list',
    'createFolder',
    '',
  ),
  format: fc.constantFrom('json' as const, 'csv' as const, 'xml' as const),
  type: fc.constantFrom('flat', 'eav'),
  record: fc.constantFrom(...RECORDS),
  records: fc.subarray([OWN, ...OTHERS]),
  documentId: fc.integer({ min: 0, max: 4 }),
  logic: fc.constantFrom('', '[id] <> ""', "[name] <> ''"),
  group: fc.constantFrom('south', ''),
  isFlag: fc.constantFrom('true', 'false'),
});

type Call = typeof CALL extends fc.Arbitrary<infer Value> ? Value : never;

function parametersOf({ content, action, format, type, record, records, ...call }: Call): Parameters {
  const data = JSON.stringify([
    { id: record, redcap_event_name: 'start_arm_1', name: 'changed by the north' },
  ]);
  return new Parameters(
    [
      ...Object.entries({
        content,
        action,
        format,
        type,
        record,
        data: format === 'json' ? data : '',
      }),
      ...records.map((id, index): [string, string] => [`records[${index}]`, id]),
      ...Object.entries({ filterLogic: call.logic, dag: call.group, doc_id: String(call.documentId) }),
      ...['exportSurveyFields', 'exportDataAccessGroups', 'exportFiles'].map((name): [string, string] => [
        name,
        call.isFlag,
      ]),
      ...(call.isFlag === 'true' ? [['allRecords', '1'] as const] : []),
      ...Object.entries({
        new_record_name: 'N-9',
        instrument: 'enrol',
        event: 'start_arm_1',
        field: 'consent',
      }),
      ...Object.entries({ report_id: '1', randomization_id: '1', returnContent: 'ids' }),
    ].filter(([name, value]) => name !== 'data' || value !== ''),
    { name: 'x.txt', type: 'text/plain', bytes: Buffer.from('changed by the north') },
  );
}

/** Returns everything that a call reveals: its answer or its refusal. */
async function answerOf(project: SandboxProject, call: Call): Promise<string> {
  const user = project.user('north');
  if (user === undefined) return '';
  try {
    const answer = await answerCall({
      project,
      parameters: parametersOf(call),
      caller: new Caller(project, user),
      version: new ServerVersion('16.1.9'),
      format: call.format,
      returnFormat: call.format,
    });
    return answer.kind === 'bytes'
      ? `${answer.fileName} ${answer.bytes.toString('latin1')}`
      : writeAnswer(answer, call.format);
  } catch (error) {
    if (error instanceof ApiFailure) return error.text;
    throw error;
  }
}

/** Returns the records of other groups, as the data manager sees them. */
async function othersOf(project: SandboxProject): Promise<string[]> {
  return (await projectXmlOf(project))
    .split('<SubjectData ')
    .filter((subject) => OTHERS.some((id) => subject.startsWith(`SubjectKey="${id}"`)))
    .map((subject) => subject.replace(/<\/ClinicalData>[^]*/, ''));
}

describe('A user in a data access group', () => {
  it('never sees or changes a record of another group, with any call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(CALL, { minLength: 1, maxLength: 6 }), async (calls) => {
        const project = new SandboxProject(groupsStudy(), () => new Date('2026-11-22T08:00:00Z'));
        fillProject(project, groupsStudy());
        const before = await othersOf(project);
        // Changes to the design can remove a field or an event from every record, so those calls are omitted.
        for (const call of calls.filter(({ content, action }) => !isDesign(content, action))) {
          const answer = await answerOf(project, call);

          for (const value of SECRETS) expect(answer, call.content).not.to.include(value);
          for (const id of OTHERS) {
            if (call.record !== id && !call.records.includes(id)) expect(answer).not.to.include(id);
          }
        }

        expect(await othersOf(project)).to.deep.equal(before);
      }),
      { numRuns: 150 },
    );
  });
});

const DESIGN = ['metadata', 'arm', 'event', 'formEventMapping', 'repeatingFormsEvents', 'project_settings'];

function isDesign(content: string, action: string): boolean {
  return DESIGN.includes(content) && action !== 'export';
}
