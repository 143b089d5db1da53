import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { checkLogic, type LogicProject } from '../../../../src/domain/logic/checker.js';
import { describeProblem } from '../../../../src/domain/logic/logic-problem.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';
import { someField } from '../../../support/some-field.js';

const PROJECT: LogicProject = {
  dictionary: new DataDictionary([
    someField('record_id'),
    someField('age', { validationType: 'integer' }),
    someField('weight', { validationType: 'number' }),
    someField('born', { validationType: 'date_dmy' }),
    someField('sites', { type: 'checkbox', choicesOrCalculations: '1, North | 2, South | -99, Unknown' }),
    someField('sex', { type: 'radio', choicesOrCalculations: '1, Female | 2, Male' }),
    someField('smoker', { type: 'yesno' }),
    someField('bmi', { type: 'calc' }),
    someField('note', { type: 'notes' }),
  ]),
  events: ['baseline_arm_1', 'followup_arm_1'],
  missingDataCodes: ['UNK'],
};

const errorsOf = (source: string, project: Partial<LogicProject> = {}): string[] =>
  checkLogic(source, { ...PROJECT, ...project }).errors.map(describeProblem);
const notesOf = (source: string, project: Partial<LogicProject> = {}): string[] =>
  checkLogic(source, { ...PROJECT, ...project }).notes.map(describeProblem);

describe('checkLogic', () => {
  it('suggests names for only ten of many unknown fields', () => {
    const errors = errorsOf([...'abcdefghijkl'].map((letter) => `[age${letter}] = 1`).join(' or '));

    expect(errors).to.have.length(12);
    expect(errors.filter((error) => error.includes('did you mean'))).to.have.length(10);
  });

  it('takes time linear in the number of digits of a value', () => {
    const source = `[age] = '${'1'.repeat(49_000)}x'`;
    expect(cpuMsOf(() => errorsOf(source))).to.be.below(1_500);
  });

  for (const [source, error] of [
    [
      '[sex] = 1 and [agee] >= 18',
      'at character 15: [agee] is not a field of this project; did you mean [age]?',
    ],
    ['[xyzzy] = 1', 'at character 1: [xyzzy] is not a field of this project'],
    [
      "[base_complet] = '2'",
      'at character 1: [base_complet] is not a field of this project; did you mean [base_complete]?',
    ],
    ["[sites___2] = '1'", 'at character 1: [sites___2] is an export column; logic writes [sites(2)]'],
    [
      "[sites(3)] = '1'",
      'at character 1: [sites] has no such choice; it has 1 (North), 2 (South), -99 (Unknown)',
    ],
    ['[sex(1)] = 1', 'at character 1: [sex] is not a checkbox field, so no choice can follow its name'],
    ["[sex] = '3'", 'at character 9: this is not a code of [sex], which has 1, 2'],
    ["[sex] <> '3'", 'at character 10: this is not a code of [sex], which has 1, 2'],
    ['3 = [sex]', 'at character 1: this is not a code of [sex], which has 1, 2'],
    ["[smoker] = 'Yes'", 'at character 12: this is not a code of [smoker], which has 1, 0'],
    ['[sex] > 2', 'at character 9: this comparison can never hold: the codes of [sex] are 1, 2'],
    ['[sites(1)] = 2', 'at character 14: this is not a code of [sites], which has 0, 1'],
    ['[base_complete] = 3', 'at character 19: this is not a code of [base_complete], which has 0, 1, 2'],
    [
      "[age] = 'old'",
      'at character 9: this comparison can never hold: [age] holds a whole number, and this is not one',
    ],
    [
      "'old' <= [age]",
      'at character 1: this comparison can never hold: [age] holds a whole number, and this is not one',
    ],
    ['[age] = 1.5', 'at character 9: this comparison can never hold: [age] holds a whole number'],
    [
      "[born] = '31/12/1999'",
      'at character 10: this comparison can never hold: [born] holds a date, as YYYY-MM-DD',
    ],
    [
      '[baselin_arm_1][age] > 1',
      'at character 1: [baselin_arm_1] is not an event of this project; did you mean [baseline_arm_1]?',
    ],
    ['([age] > 1', 'at character 1: this ( is not closed'],
  ] as const) {
    it(`refuses ${source}`, () => {
      expect(errorsOf(source)).to.deep.equal([error]);
    });
  }

  for (const source of [
    '[AGE] >= 18 and [Sites(2)] = "1"',
    "[sex] = '1.0' or [sex] = ''",
    "[sex] = 'UNK'",
    "[age] = 'UNK'",
    "[age] < 'old'",
    '[age] > -1.5',
    "[born] >= '1999-12-31'",
    "[note] = 'anything' and [bmi] > 25",
    '[baseline_arm_1][age][last-instance] > 1',
    '[first-event-name][age] > 1 and [record-name] <> 1',
    "lower([note]) = 'x' and datediff([born], 'today', 'y') > 18",
    "[base_complete] = '2'",
  ]) {
    it(`accepts ${source}`, () => {
      expect(checkLogic(source, PROJECT)).to.deep.include({ errors: [], notes: [] });
    });
  }

  for (const [source, note] of [
    ['[age] == 18', 'at character 8: a value is needed here'],
    ['[user-name] = 1', 'at character 1: [user-name] is not known here'],
    ['rank([age]) = 1', 'at character 1: the function rank is not known here'],
    ["left([note]) = 'a'", 'at character 1: left takes 2 arguments here'],
    ['[redcap_data_access_group] = 1', 'at character 1: [redcap_data_access_group] is not known here'],
    ['[base_timestamp] > 1', 'at character 1: [base_timestamp] is not known here'],
    ["[sites] = ''", 'at character 1: [sites] is a checkbox field: name one of its choices, as [sites(1)]'],
  ] as const) {
    it(`accepts ${source} with a note`, () => {
      expect(errorsOf(source)).to.deep.equal([]);
      expect(notesOf(source)).to.deep.equal([note]);
    });
  }

  it("accepts only REDCap's internal event in a classic project", () => {
    expect(errorsOf('[event_1_arm_1][age] > 1', { events: [] })).to.deep.equal([]);
    expect(errorsOf('[baseline_arm_1][age] > 1', { events: [] })).to.deep.equal([
      'at character 1: [baseline_arm_1] is not an event: this project has none',
    ]);
  });

  it('refuses nothing that it has no metadata to check', () => {
    const unasked = { events: undefined, missingDataCodes: undefined };

    expect(errorsOf("[visit_arm_1][sex] = '9'", unasked)).to.deep.equal([]);
    expect(notesOf("[visit_arm_1][sex] = '9'", unasked)).to.have.length(2);
  });

  it('never repeats quoted text, which may be a value of a record', () => {
    const { errors, notes } = checkLogic(
      "[sex] = 'Lovelace' and [age] = 'Lovelace' or [x] = 'Lovelace'",
      PROJECT,
    );

    expect(errors).to.have.length(3);
    expect(JSON.stringify([errors, notes])).not.to.include('Lovelace');
  });
});
