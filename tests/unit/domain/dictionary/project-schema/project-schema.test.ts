import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { DataDictionary } from '../../../../../src/domain/dictionary/data-dictionary.js';
import type { Field } from '../../../../../src/domain/dictionary/field.js';
import { projectSchema } from '../../../../../src/domain/dictionary/project-schema/project-schema.js';
import { withoutBlanks } from '../../../../../src/domain/dictionary/spreadsheet-damage.js';
import { ProjectStructure } from '../../../../../src/domain/dictionary/project-structure.js';
import { TEXT_VALIDATIONS } from '../../../../../src/domain/dictionary/text-validations.js';
import { ImportRemarks } from '../../../../../src/records/import/import-remarks.js';
import { ProblemList } from '../../../../../src/records/import/problem-list.js';
import { RowChecker } from '../../../../../src/records/import/row-checker.js';
import { RowTyper } from '../../../../../src/records/typed/row-typer.js';
import { RowUntyper } from '../../../../../src/records/typed/row-untyper.js';
import { FIELD_TYPES, someField } from '../../../../support/some-field.js';

const CHOICES = '1, One | -9, "Two" | Aa, Three';
const CODED = ['radio', 'dropdown', 'checkbox'];

/** Every field type and every validation, including dates and times with limits. */
const FIELDS: readonly Field[] = [
  someField('record_id'),
  ...FIELD_TYPES.map((type) =>
    someField(`a_${type}`, { type, choicesOrCalculations: CODED.includes(type) ? CHOICES : '' }),
  ),
  ...[...TEXT_VALIDATIONS.keys()].map((validationType) =>
    someField(`v_${validationType}`, { validationType }),
  ),
  someField('since', {
    validationType: 'date_ymd',
    validationMin: '1999-06-15',
    validationMax: '2026-01-31',
  }),
  someField('at', { validationType: 'datetime_ymd', validationMin: '2020-12-31 09:30' }),
  someField('count', { validationType: 'integer', validationMin: '-9', validationMax: '101' }),
  someField('until', { validationType: 'time', validationMax: '09:30' }),
  someField('site_made', { validationType: 'mrn_8d' }),
];

const STRUCTURE = new ProjectStructure({
  dictionary: new DataDictionary(FIELDS),
  missingDataCodes: ['UNK', '-99'],
});

/** Texts that some rule accepts, and similar texts that it refuses. */
const TEXTS = fc.constantFrom(
  '',
  ' ',
  '0',
  '1',
  '2',
  '-9',
  'Aa',
  'aa',
  'UNK',
  '-99',
  'UNKN',
  'text',
  'two\nlines',
  '101',
  '-1',
  '+5',
  '007',
  '1.5',
  '1,5',
  '-.5',
  '12.50',
  '12,50',
  '1.234',
  '1e3',
  '1.',
  ',5',
  '--1',
  '1999-06-14',
  '1999-06-15',
  '2000-02-29',
  '1900-02-29',
  '2026-02-28',
  '2026-02-30',
  '2026-01-31',
  '2026-02-01',
  '2026-13-01',
  '31/01/2026',
  '0000-02-29',
  '2020-12-31 09:29',
  '2020-12-31 09:30',
  '2021-01-01 00:00',
  '2026-01-31 24:00',
  '2026-01-31 10:30:05',
  '10:30',
  '09:30',
  '09:31',
  '24:00',
  '23:59:59',
  '59:59',
  '60:00',
  'a@b.org',
  'a@b',
  '(987) 654-3210',
  '987',
  '01234',
  '12345-6789',
  '123-45-6789',
  'K1A 0B1',
  '2000',
  '02 9999 9999',
  'abcDEF',
  'abc1',
);

const COLUMNS = [
  ...STRUCTURE.dictionary.exportColumns().map(({ name }) => name),
  ...STRUCTURE.missingDataColumns().keys(),
];
/** Only characters of the basic plane: JSON Schema counts characters, this service counts UTF-16 units. */
const RECORD_IDS = fc.oneof(
  { weight: 6, arbitrary: fc.constant('COHORT-2026-PARTICIPANT-0001') },
  fc.string({ unit: fc.constantFrom('a', ' ', '\u0007', '漢', '"'), minLength: 15, maxLength: 105 }),
);
const RAW_ROW = fc
  .tuple(RECORD_IDS, fc.dictionary(fc.constantFrom(...COLUMNS.slice(1), 'nothing'), TEXTS, { maxKeys: 3 }))
  // An import leaves blanks around values out, which the schema, for exports too, does not know.
  .filter(([, cells]) => Object.values(cells).every((text) => withoutBlanks(text) === text))
  .map(([record_id, cells]): Record<string, string> => ({ record_id, ...cells }));

function validatorOf(values: 'raw' | 'typed'): ValidateFunction {
  return new Ajv2020({ strict: true, allowUnionTypes: true }).compile(projectSchema(STRUCTURE, { values }));
}

/** Whether an import would accept the row. */
function isTaken(row: Readonly<Record<string, string>>): boolean {
  const problems = new ProblemList();
  const request = { format: 'json' } as const;
  const project = {
    dictionary: STRUCTURE.dictionary,
    missing: [...STRUCTURE.missingDataCodes].map((code) => ({ code, label: code })),
    isNumbering: false,
    // Every record exists: the schema is one for exports too.
    records: { has: () => true },
  };
  const checker = new RowChecker(project, request, new ImportRemarks(), problems);
  checker.check({ row, columns: Object.keys(row), place: { row: 1, line: 1 } });
  return problems.count === 0;
}

describe('projectSchema', () => {
  const validateRaw = validatorOf('raw');
  const validateTyped = validatorOf('typed');

  it('accepts a raw row if and only if an import accepts it', () => {
    fc.assert(
      fc.property(RAW_ROW, (row) => {
        expect(validateRaw(row), JSON.stringify(validateRaw.errors)).to.equal(isTaken(row));
      }),
      { numRuns: 2000 },
    );
  });

  it('has the columns of checkbox fields for missing data codes', () => {
    const row = { record_id: 'COHORT-2026-PARTICIPANT-0001', a_checkbox___unk: '1' };

    expect(isTaken(row)).to.equal(true);
    expect(validateRaw(row)).to.equal(true);
    expect(validateRaw({ ...row, a_checkbox___unk: '2' })).to.equal(false);
  });

  it('accepts the typed form of every accepted row, and no typed row that an import refuses', () => {
    const typer = new RowTyper(STRUCTURE);
    const untyper = new RowUntyper(STRUCTURE.dictionary);
    fc.assert(
      fc.property(RAW_ROW, (row) => {
        const misfits: string[] = [];
        const typed = typer.type(row, (_, column) => misfits.push(column));
        const problems: unknown[] = [];
        const raw = untyper.untype(typed, (problem) => problems.push(problem));
        const isValid = validateTyped(typed);

        if (isTaken(row) && misfits.length === 0)
          expect(isValid, JSON.stringify(validateTyped.errors)).to.equal(true);
        if (isValid) expect(problems.length === 0 && isTaken(raw)).to.equal(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('describes limits and does not enforce them, because REDCap only warns', () => {
    const structure = new ProjectStructure({
      dictionary: new DataDictionary([
        someField('record_id'),
        someField('age', { validationType: 'integer', validationMin: '18', validationMax: '99' }),
        someField('pain', { type: 'slider' }),
        someField('today', { validationType: 'number', validationMax: 'today' }),
      ]),
    });
    const schema = projectSchema(structure, { values: 'typed' });
    const validate = new Ajv2020().compile(schema);
    const isValid = (cells: object) => validate({ record_id: '1', ...cells });

    for (const limits of ['18 to 99', '0 to 100', 'at most today'])
      expect(JSON.stringify(schema)).to.include(`expected: ${limits}`);
    expect([17, 18, 99, 100, 18.5, '18'].map((age) => isValid({ age }))).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect([-1, 0, 100, 101].map((pain) => isValid({ pain }))).to.deep.equal([true, true, true, true]);
    expect(isValid({ today: 1e9 })).to.equal(true);
  });

  it('restricts instruments to their events and repeat instances to positive numbers', () => {
    const structure = new ProjectStructure({
      dictionary: new DataDictionary([
        someField('record_id', { instrument: 'enrol' }),
        someField('drug', { instrument: 'meds' }),
      ]),
      events: [
        { uniqueName: 'start_arm_1', label: 'Start', arm: 1 },
        { uniqueName: 'end_arm_1', label: 'End', arm: 1 },
      ],
      mappings: [
        { event: 'start_arm_1', instrument: 'enrol' },
        { event: 'start_arm_1', instrument: 'meds' },
      ],
      repeating: [{ event: 'start_arm_1', instrument: 'meds' }],
    });
    const validate = new Ajv2020().compile(projectSchema(structure, { values: 'raw' }));
    const isValid = (cells: object) => validate({ record_id: 'COHORT-2026-PARTICIPANT-0001', ...cells });
    const instance = { redcap_repeat_instrument: 'meds', redcap_repeat_instance: 2 };

    expect(isValid({ redcap_event_name: 'start_arm_1', ...instance, drug: 'x' })).to.equal(true);
    expect(isValid({ redcap_event_name: 'end_arm_1', ...instance, drug: 'x' })).to.equal(false);
    expect(isValid({ redcap_event_name: 'start_arm_1', ...instance, redcap_repeat_instance: 0 })).to.equal(
      false,
    );
  });

  it('is a valid schema, whatever the labels contain', () => {
    const hostile = '*/ `${x}` </script> "\\" \u202e\u2028 😀 @deprecated';
    const structure = new ProjectStructure({
      dictionary: new DataDictionary(FIELDS.map((field) => ({ ...field, label: hostile, note: hostile }))),
    });

    expect(() =>
      new Ajv2020({ strict: true }).compile(projectSchema(structure, { values: 'raw' })),
    ).to.not.throw();
  });
});
