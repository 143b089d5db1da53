import { expect } from 'chai';
import { said } from '../../../../src/domain/errors/field-problem.js';
import { isUnknownName, unknownName } from '../../../../src/domain/identifiers/nearest-name.js';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { armsStudy, classicStudy, longitudinalStudy, randomizedStudy } from '../../../support/studies.js';

async function first<Row>(rows: AsyncIterable<Row>): Promise<Row | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

/** Names that a project does not have, and what is said of them. */
const UNKNOWN: readonly (readonly [
  sentence: string | RegExp,
  study: () => Study,
  call: (client: CrfClient) => Promise<unknown>,
])[] = [
  ['nope is not an instrument of this project.', classicStudy, (client) => first(client.rows('nope'))],
  [
    'bace is not an instrument of this project; did you mean base?',
    classicStudy,
    (client) => first(client.rows('bace')),
  ],
  ['nope is not an instrument of this project.', classicStudy, ({ pdf }) => pdf.get({ instrument: 'nope' })],
  [
    'nope is not an instrument of this project.',
    classicStudy,
    (client) => client.exportRecords({ forms: ['nope'] }),
  ],
  [
    'age is not a file field of this project.',
    classicStudy,
    ({ files }) => files.get({ record: '2', field: 'age' }),
  ],
  [
    'no_arm_9 is not an event of this project; a longitudinal project requires one.',
    longitudinalStudy,
    ({ pdf }) => pdf.get({ event: 'no_arm_9' }),
  ],
  [
    'no_arm_9 is not an event of this project.',
    longitudinalStudy,
    ({ events }) => events.delete(['no_arm_9']),
  ],
  ['7 is not an arm of this project.', longitudinalStudy, ({ arms }) => arms.delete([7])],
  ['nope is not a data access group of this project.', classicStudy, ({ dags }) => dags.delete(['nope'])],
  ['U-NOPE is not a role of this project.', classicStudy, ({ roles }) => roles.delete(['U-NOPE'])],
  ['nobody is not a user of this project.', classicStudy, ({ users }) => users.delete(['nobody'])],
  [
    'dags has one that is not a data access group of this project, of east, nope.',
    classicStudy,
    async ({ dags }) => {
      await dags.put([{ name: 'East' }]);
      return dags.delete(['east', 'nope']);
    },
  ],
  ['arms has one that is not an arm of this project, of 1, 7.', armsStudy, ({ arms }) => arms.delete([1, 7])],
  [
    'no_arm_9 is not an event of this project.',
    longitudinalStudy,
    ({ repeating }) => repeating.put([{ event: 'no_arm_9', instrument: '', customLabel: '' }]),
  ],
  [
    'U-0000000000 is not a role of this project.',
    classicStudy,
    ({ roles }) => roles.put([{ label: 'A', uniqueName: 'U-0000000000' }]),
  ],
  [
    '9 is not a randomization of this project.',
    () => ({ ...randomizedStudy(), rows: [{ id: '1' }] }),
    ({ records }) => records.randomize('1', 9),
  ],
  [
    'base is not enabled as a survey.',
    () => {
      const { project, ...study } = classicStudy();
      return { ...study, project: { ...project, surveysEnabled: true } };
    },
    ({ surveys }) => surveys.getLink({ record: '2', instrument: 'base' }),
  ],
];

describe('A name that the project does not have', () => {
  for (const [sentence, study, call] of UNKNOWN) {
    it(`is named: ${String(sentence)}`, async () => {
      const started = await startSandboxClient(study());

      const { message } = await rejection(call(started.client)).finally(() => started.close());

      expect(message).to.equal(sentence);
    });
  }

  for (const text of ['a name', 'née', '', 'x'.repeat(101), '<b>', undefined]) {
    it(`is left out of the sentence without the form of a name: ${String(text).slice(0, 10)}`, () => {
      expect(said(unknownName('field', 'fields[0]', text))).to.equal(
        'fields[0] is not a field of this project',
      );
    });
  }

  it('is told by its code, with any suggestion, and whatever its sentence says', () => {
    const problem = unknownName('field', 'fields', 'agee', ['age']);

    expect(problem).to.deep.include({ code: 'unknown_name', parameters: { kind: 'field', meant: 'age' } });
    expect(isUnknownName({ ...problem, message: 'ist kein Feld' })).to.equal(true);
    expect(isUnknownName({ field: 'fields', message: problem.message })).to.equal(false);
  });
});
