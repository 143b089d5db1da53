import { expect } from 'chai';
import fc from 'fast-check';
import { DataDictionary } from '../../../../src/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/dictionary/project-structure.js';
import type { RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { parseRow } from '../../../../src/services/record-export/parse-row.js';
import { checkRecord } from '../../../../src/services/quality/check-record.js';
import { compileForms, type FormChecks } from '../../../../src/services/quality/form-checks.js';
import type { QualityFinding } from '../../../../src/services/quality/quality-finding.js';
import { RecordView } from '../../../../src/services/quality/record-view.js';
import { RowReducer } from '../../../../src/services/quality/row-reducer.js';
import { someField } from '../../dictionary/some-field.js';

const FIELDS = [
  someField('id'),
  someField('age', { validationType: 'integer', validationMin: '18', validationMax: '99' }),
  someField('seen', { validationType: 'date_ymd' }),
  someField('note', { type: 'notes' }),
  someField('sex', { type: 'radio', choicesOrCalculations: '1, Female | é, Male' }),
  someField('sites', { type: 'checkbox', choicesOrCalculations: '1, North | 2, South' }),
  someField('email', { validationType: 'email' }),
  someField('pregnant', { type: 'yesno', branchingLogic: "[SEX] = '1' and [base_complete] <> ''" }),
  someField('weight', { validationType: 'number', isRequired: true }),
  someField('marks', { type: 'checkbox', choicesOrCalculations: '1, A', isRequired: true }),
  someField('mass', { instrument: 'lab', validationType: 'number' }),
  someField('twice', { instrument: 'lab', type: 'calc', choicesOrCalculations: '[visit_1_arm_1][mass] * 2' }),
  someField('comment', { instrument: 'lab', branchingLogic: '[sites(1)] = 1' }),
  someField('shade', { instrument: 'lab', type: 'slider' }),
  someField('tags', { instrument: 'other', type: 'checkbox', choicesOrCalculations: '1, A' }),
  someField('remark', { instrument: 'other' }),
];
const events = ['visit_1_arm_1', 'visit_2_arm_1'].map((uniqueName) => ({
  uniqueName,
  label: '',
  armNumber: 1,
}));
const structureOf = (missingDataCodes: readonly string[]): ProjectStructure =>
  new ProjectStructure({
    dictionary: new DataDictionary(FIELDS),
    events,
    mappings: events.flatMap(({ uniqueName: uniqueEventName }) =>
      ['base', 'lab', 'other'].map((instrument) => ({ arm: 1, uniqueEventName, instrument })),
    ),
    repeating: [{ uniqueEventName: 'visit_2_arm_1', instrument: 'lab' }],
    missingDataCodes,
  });
const COLUMNS = [
  ...new ProjectStructure({ dictionary: new DataDictionary(FIELDS) }).dictionary
    .exportColumns()
    .flatMap(({ name }) => (name === 'id' ? [] : [name])),
  ...['sites___unk', 'marks___unk', 'base_timestamp'],
];

const VALUE = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 4,
    arbitrary: fc.constantFrom<string | number>(
      ...[
        '0',
        '1',
        '2',
        'é',
        'UNK',
        '17',
        '18',
        '36',
        '36.0',
        '-5',
        '2026-02-28',
        '2026-02-30',
        'a"b',
        'a/b',
        '\n',
      ],
      ...['a@b.org', '😀', 20, 120],
    ),
  },
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const CELLS = fc.record(Object.fromEntries(COLUMNS.map((name) => [name, VALUE])));
const PLACES = [
  { redcap_event_name: 'visit_1_arm_1', redcap_repeat_instrument: '', redcap_repeat_instance: '' },
  { redcap_event_name: 'visit_2_arm_1', redcap_repeat_instrument: '', redcap_repeat_instance: '' },
  { redcap_event_name: 'visit_2_arm_1', redcap_repeat_instrument: 'lab', redcap_repeat_instance: 1 },
] as const;
const RECORD = fc
  .tuple(CELLS, CELLS, CELLS)
  .map((rows) => rows.map((cells, at): RecordRow => ({ id: 'A', ...PLACES[at], ...cells })));

const jsonOf = (row: RecordRow): Buffer => Buffer.from(JSON.stringify(row).replaceAll('/', '\\/'));

describe('RowReducer', () => {
  for (const [what, codes, chosen] of [
    ['a project', [], ['base', 'lab', 'other']],
    ['a project with missing data codes', ['UNK'], ['base', 'lab', 'other']],
    ['one form of a project', [], ['lab']],
  ] as const) {
    it(`leaves what leads to the same findings, for ${what}`, async () => {
      const structure = structureOf(codes);
      const all = await compileForms(structure, () => new Date('2026-03-01T00:00:00Z'));
      const forms = all.filter(({ instrument }) => (chosen as readonly string[]).includes(instrument));
      const reducer = new RowReducer(structure, forms);
      fc.assert(
        fc.property(RECORD, (rows) => {
          const reduced = rows.map((row) => parseRow(reducer.reduced(jsonOf(row))));

          expect(findingsOf(structure, forms, reduced)).to.deep.equal(findingsOf(structure, forms, rows));
        }),
        { numRuns: 200 },
      );
    });
  }

  it('keeps one of the valid values of a form, and every value that logic or a finding needs', async () => {
    const structure = structureOf([]);
    const reducer = new RowReducer(structure, await compileForms(structure, () => new Date()));
    const blank = Object.fromEntries(COLUMNS.map((name) => [name, '']));
    const row = { id: 'A', ...PLACES[0], ...blank, age: '20', seen: '2026-02-28', note: 'say "ü"', sex: '1' };
    const more = {
      sites___1: '0',
      sites___2: '0',
      weight: '70',
      email: 'x',
      mass: '3',
      shade: '5',
      remark: 'r',
    };

    const reduced = parseRow(reducer.reduced(jsonOf({ ...row, ...more, lab_complete: '2' })));

    expect(reduced).to.deep.equal({
      ...{ id: 'A', redcap_event_name: 'visit_1_arm_1', age: '20', sex: '1' },
      ...{
        sites___1: '0',
        sites___2: '0',
        email: 'x',
        weight: '70',
        mass: '3',
        shade: '5',
        lab_complete: '2',
        remark: 'r',
      },
    });
  });

  it('returns rows with other columns as they are', async () => {
    const structure = structureOf([]);
    const reducer = new RowReducer(structure, await compileForms(structure, () => new Date()));
    reducer.reduced(Buffer.from('{"id":"A","age":"20","note":"x"}'));

    for (const json of ['{"id":"A","note":"x","age":"20"}', '{"id":"A"}', '{"id":"A","age":null,"note":""}'])
      expect(String(reducer.reduced(Buffer.from(json)))).to.equal(json);
  });
});

function findingsOf(
  structure: ProjectStructure,
  forms: readonly FormChecks[],
  rows: readonly RecordRow[],
): readonly QualityFinding[] {
  return checkRecord(new RecordView(structure, 'A', rows), forms, structure);
}
