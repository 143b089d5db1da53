import { expect } from 'chai';
import { BLANK_FIELD, type Field } from '../../../src/domain/dictionary/field.js';
import { visibleDictionary } from '../../../src/policy/visible-dictionary.js';
import { cpuMsOf } from '../../support/cpu-ms-of.js';
import { viewOf } from '../../support/view-of.js';

const field = (name: string, parts: Partial<Field> = {}): Field => ({
  ...BLANK_FIELD,
  name,
  instrument: 'base',
  ...parts,
});

const FIELDS = [
  field('id'),
  field('secret'),
  field('shown'),
  field('drug', { instrument: 'meds' }),
  field('result', { instrument: 'lab' }),
];

/** Returns a field as a view shows it that has neither `secret` nor `meds` nor `end_arm_1`. */
function shown(parts: Partial<Field>): Field | undefined {
  const view = viewOf({
    fields: new Map(['id', 'shown', 'result', 'own'].map((name) => [name, 'read'])),
    forms: new Map([
      ['base', 'read'],
      ['lab', 'read'],
    ]),
    events: new Set(['start_arm_1']),
  });
  return visibleDictionary([...FIELDS, field('own', { instrument: 'lab', ...parts })], view).at(-1);
}

describe('The data dictionary of a view', () => {
  it('has no logic that reads a hidden field, form or event', () => {
    for (const logic of [
      "[secret] = '1'",
      "[SECRET(2)] = '1'",
      "[start_arm_1][secret][2] = '1'",
      "[meds_complete] = '2'",
      "[end_arm_1][shown] = '1'",
      "[previous-event-name][shown] = '1'",
      "[survey-date-completed:meds] <> ''",
    ]) {
      expect(shown({ branchingLogic: logic })?.branchingLogic, logic).to.equal('');
    }
  });

  it('keeps logic that reads what is visible', () => {
    for (const logic of [
      "[shown] = '1' or [lab_complete] = '2'",
      "[shown(secret)] = '1'",
      "[start_arm_1][shown][2] = '1'",
      '[shown][first-instance] > 1',
      "[event-name][shown] = '1'",
      "[event-name] = 'end_arm_1'",
    ]) {
      expect(shown({ branchingLogic: logic })?.branchingLogic, logic).to.equal(logic);
    }
  });

  it('pipes a hidden value as a blank one', () => {
    const text = 'Is [secret:value] or [end_arm_1][shown] above [shown] mg [dose]?';
    const blank = 'Is ______ or ______ above [shown] mg [dose]?';

    expect(shown({ label: text, note: text, sectionHeader: text })).to.include({
      label: blank,
      note: blank,
      sectionHeader: blank,
    });
    expect(shown({ type: 'radio', choicesOrCalculations: '1, As [secret] | 2, Other' })).to.have.property(
      'choicesOrCalculations',
      '1, As ______ | 2, Other',
    );
  });

  it('shows a calculation that reads a hidden field as a text field', () => {
    expect(shown({ type: 'calc', choicesOrCalculations: '[secret] * 2' })).to.include({
      type: 'text',
      choicesOrCalculations: '',
    });
    expect(shown({ type: 'calc', choicesOrCalculations: '[shown] * 2' })).to.include({
      type: 'calc',
      choicesOrCalculations: '[shown] * 2',
    });
  });

  it('has no query that names a hidden field', () => {
    const query = "select value from redcap_data where field_name = 'secret'";

    expect(shown({ type: 'sql', choicesOrCalculations: query })).to.have.property(
      'choicesOrCalculations',
      '',
    );
  });

  it('drops the action tags that read a hidden field, and no others', () => {
    for (const [before, after] of [
      ["@READONLY @CALCTEXT(if([secret] = ')', '(', 'b')) @HIDDEN", '@READONLY  @HIDDEN'],
      ["@DEFAULT='[secret]' note", 'note'],
      ['@SETVALUE = "[drug]"@HIDDEN', '@HIDDEN'],
      ["@IF([shown] = '1', @HIDDEN, @DEFAULT='[secret]')", ''],
      ["@DEFAULT='[shown]' as [secret]", "@DEFAULT='[shown]' as ______"],
      ["@A(@B(@C([shown]))) @D('[secret]') @E", '@A(@B(@C([shown])))  @E'],
      ["@A([shown] @DEFAULT='[secret]'", ''],
      ["@DEFAULT='@A([secret]'@HIDDEN", '@HIDDEN'],
    ] as const) {
      expect(shown({ annotation: before })?.annotation, before).to.equal(after);
    }
  });

  for (const part of ['@A(', "@A='", '@CALCTEXT([shown', "@A('", '@A', '[', '[shown]', '(', '"', ' ', ','])
    it(`is made in linear time of annotations and texts of ${part} again and again`, () => {
      const text = part.repeat(100_000);

      expect(cpuMsOf(() => shown({ annotation: text, label: text, branchingLogic: text }))).to.be.below(2000);
    });

  it('counts what is in the brackets of a text as hidden that is longer than any in REDCap', () => {
    const long = '[shown]'.repeat(2_000_000); // more repetitions than a regular expression can go back over

    expect(shown({ branchingLogic: long, annotation: `@DEFAULT='${long}' @HIDDEN` })).to.include({
      branchingLogic: '',
      annotation: '@HIDDEN',
    });
    expect(shown({ label: `${' '.repeat(1_000_000)}[shown] and [secret]` })?.label.trim()).to.equal(
      '______ and ______',
    );
  });

  it('has the record id in the first visible form if its own is hidden', () => {
    const view = viewOf({
      fields: new Map([
        ['id', 'read'],
        ['result', 'read'],
      ]),
      forms: new Map([['lab', 'read']]),
    });

    expect(
      visibleDictionary(FIELDS, view).map(({ name, instrument }) => `${name}@${instrument}`),
    ).to.deep.equal(['id@lab', 'result@lab']);
  });
});
