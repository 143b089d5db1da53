import { expect } from 'chai';
import { BLANK_FIELD, type Field } from '../../../../src/domain/dictionary/field.js';
import { verdictsOf, type Verdict } from '../../../../src/policy/deidentify/field-verdicts.js';
import { countedChain } from '../../../support/counted-chain.js';
import { readPolicyFile } from '../../../../src/policy/policy-file.js';

const field = (name: string, more: Partial<Field> = {}): Field => ({ ...BLANK_FIELD, name, ...more });
const valid = (name: string, validationType: string): Field => field(name, { validationType });
const coded = (name: string): Field => field(name, { type: 'radio', choicesOrCalculations: '1, A | 2, B' });
const calc = (name: string, choicesOrCalculations: string): Field =>
  field(name, { type: 'calc', choicesOrCalculations });

function verdicts(
  fields: readonly Field[],
  deidentify: string,
  { transform = '', accepted = [] }: { transform?: string; accepted?: readonly string[] } = {},
): ReadonlyMap<string, Verdict> | undefined {
  const rules = `{ records: all, forms: { "*": read }, deidentify: ${deidentify}, transform: { ${transform} } }`;
  const { p } = readPolicyFile(`version: 1\npolicies: { p: ${rules} }\nbindings: []\n`).policies;
  return p && verdictsOf(p, [field('record_id'), ...fields], accepted);
}

const kindOf = (
  one: Field,
  deidentify: string,
  more: { transform?: string; accepted?: readonly string[] } = {},
): string => {
  const verdict = verdicts([one], deidentify, more)?.get(one.name);
  if (verdict === undefined) return 'none';
  return verdict.kind === 'changed' ? verdict.rule.kind : verdict.kind;
};

describe('verdictsOf', () => {
  const cases: [one: Field, byFlags: string, limited: string, safeHarbor: string][] = [
    [field('sex', { type: 'radio', isIdentifier: true }), 'removed', 'removed', 'removed'],
    [coded('sex'), 'kept', 'kept', 'kept'],
    [valid('weight', 'number_1dp'), 'kept', 'kept', 'kept'],
    [field('pain', { type: 'slider' }), 'kept', 'kept', 'kept'],
    [field('intro', { type: 'descriptive' }), 'kept', 'kept', 'kept'],
    [valid('seen', 'datetime_dmy'), 'suspected', 'shift', 'year'],
    [valid('dob', 'date_ymd'), 'suspected', 'shift', 'year'],
    [valid('wakes_at', 'time'), 'kept', 'kept', 'suspected'],
    [valid('run', 'time_mm_ss'), 'kept', 'kept', 'kept'],
    [valid('reach', 'email'), 'suspected', 'suspected', 'suspected'],
    [valid('reach', 'phone_australia'), 'suspected', 'suspected', 'suspected'],
    [valid('home', 'postalcode_french'), 'suspected', 'suspected', 'suspected'],
    [valid('home', 'zipcode'), 'suspected', 'suspected', 'zip'],
    [valid('insured', 'ssn'), 'suspected', 'suspected', 'suspected'],
    [field('remark'), 'kept', 'removed', 'removed'],
    [valid('remark', 'a_custom_validation'), 'kept', 'removed', 'removed'],
    [valid('word', 'alpha_only'), 'kept', 'removed', 'removed'],
    [field('story', { type: 'notes' }), 'kept', 'removed', 'removed'],
    [field('scan', { type: 'file' }), 'suspected', 'removed', 'removed'],
    [field('signed', { type: 'file', validationType: 'signature' }), 'suspected', 'removed', 'removed'],
    [field('doctor', { type: 'sql' }), 'suspected', 'suspected', 'suspected'],
    [field('new', { type: 'a_type_of_a_later_redcap' }), 'kept', 'removed', 'removed'],
    [coded('home_city'), 'suspected', 'suspected', 'suspected'],
    [valid('patient_id', 'integer'), 'suspected', 'suspected', 'suspected'],
    [valid('firstname', 'alpha_only'), 'suspected', 'removed', 'removed'],
    [valid('telefono2', 'integer'), 'suspected', 'suspected', 'suspected'],
    [valid('where', 'number'), 'kept', 'kept', 'kept'],
    [{ ...valid('where', 'number'), annotation: '@LATITUDE' }, 'suspected', 'suspected', 'suspected'],
    [valid('age', 'integer'), 'kept', 'kept', 'age'],
    [coded('age_group'), 'kept', 'kept', 'suspected'],
  ];
  for (const [one, ...expected] of cases) {
    const { name, type, validationType, isIdentifier } = one;
    it(`${name}, ${isIdentifier ? 'flagged, ' : ''}${type} ${validationType}: ${expected.join(', ')}`, () => {
      const presets = ['remove-identifiers', 'limited', 'safe-harbor'];

      expect(presets.map((preset) => kindOf(one, preset))).to.deep.equal(expected);
    });
  }

  it('decides nothing without a preset and a transform, and only about the transform without a preset', () => {
    expect(verdicts([valid('dob', 'date_ymd')], 'none')).to.equal(undefined);
    const transform = 'dates: year';
    expect(kindOf(valid('dob', 'date_ymd'), 'none', { transform })).to.equal('year');
    expect(kindOf(valid('reach', 'email'), 'none', { transform })).to.equal('kept');
  });

  it('changes what a policy names, even if it is flagged, and otherwise lets the flag win', () => {
    const flagged = { ...valid('plz_us', 'number'), isIdentifier: true };
    const years = { ...valid('years_old', 'number'), isIdentifier: true };

    expect(kindOf(flagged, 'limited', { transform: 'zip: { keep: 3 }' })).to.equal('removed');
    expect(kindOf(flagged, 'limited', { transform: 'zip: { keep: 3, fields: [plz_us] }' })).to.equal('zip');
    expect(kindOf(years, 'limited', { transform: 'age: { top: 80, fields: [years_old] }' })).to.equal('age');
  });

  const spread = [
    valid('dob', 'date_ymd'),
    calc('age', "datediff([dob], 'today', 'y')"),
    calc('decade', 'rounddown([age] / 10)'),
    calc('bmi', '[weight] / [height]'),
    calc('broken', '[weight] /'),
    { ...valid('copy', 'integer'), annotation: "@DEFAULT='[record_id]'" },
    { ...valid('cared', 'integer'), annotation: '@CALCTEXT([dob])' },
    valid('weight', 'number'),
    valid('height', 'number'),
  ];
  const suspectedWith = (accepted: readonly string[], transform = ''): string[] =>
    [...(verdicts(spread, 'limited', { accepted, transform }) ?? [])].flatMap(([name, { kind }]) =>
      kind === 'suspected' ? [name] : [],
    );

  it('suspects what is filled in from something that is not shown as it is, also by way of others', () => {
    expect(suspectedWith([])).to.have.members(['age', 'decade', 'broken', 'copy', 'cared']);
  });

  it('has no doubt about what is calculated from an accepted calculation, which the caller sees anyway', () => {
    expect(suspectedWith(['age'])).to.have.members(['age', 'broken', 'copy', 'cared']);
  });

  it('still puts high ages together in an accepted calculation, and so doubts what is calculated from it', () => {
    const verdict = verdicts(spread, 'limited', { accepted: ['age'], transform: 'age: { top: 90 }' })?.get(
      'age',
    );

    expect(verdict).to.deep.include({ kind: 'suspected', rule: { kind: 'age', top: 90 } });
    expect(suspectedWith(['age'], 'age: { top: 90 }')).to.include('decade');
  });

  it('suspects a chain of calculations with the work of its length', () => {
    const { fields, readings } = countedChain(2000, 'dob', '');

    const found = verdicts([...fields, valid('dob', 'date_ymd')], 'limited');

    expect(fields.every(({ name }) => found?.get(name)?.kind === 'suspected')).to.equal(true);
    expect(readings()).to.be.below(20 * 2000);
  });
});
