import { DEMO_USERS } from '../../src/sandbox/demo-study/demo-study.js';
import { defineInstrument, type FieldDefinition } from '../support/define-instrument.js';
import type { Design } from '../proof/made-up.js';

/*
 * Projects without records, made so that whatever a policy hides is read by something that it shows.
 */

const INTAKE: readonly FieldDefinition[] = [
  { name: 'record_id', type: 'text', label: 'Record' },
  { name: 'first_name', type: 'text', label: 'First name', isIdentifier: true, sectionHeader: 'Person' },
  { name: 'email', type: 'text', label: 'Address of [first_name]', validationType: 'email' },
  { name: 'sex', type: 'radio', label: 'Sex', choicesOrCalculations: '1, Female | 2, Male | 3, Other' },
  { name: 'born', type: 'text', label: 'Born', validationType: 'date_dmy', isIdentifier: true },
  { name: 'age', type: 'text', label: 'Age', validationType: 'integer', validationMax: '120' },
  { name: 'zip', type: 'text', label: 'ZIP code', validationType: 'zipcode' },
  { name: 'home_city', type: 'radio', label: 'City', choicesOrCalculations: '1, North | 2, South' },
  {
    name: 'joined',
    type: 'text',
    label: 'Joined',
    validationType: 'datetime_mdy',
    validationMin: '2026-01-01 00:00',
  },
  { name: 'consent', type: 'file', label: 'Consent of [first_name]' },
  {
    name: 'sites',
    type: 'checkbox',
    label: 'Sites',
    choicesOrCalculations: '1, North | 2, Near [first_name] | -99, None',
  },
  { name: 'note', type: 'notes', label: 'Note', note: 'About [email]' },
  { name: 'intro', type: 'descriptive', label: 'Welcome, [first_name], born [born]' },
];

const VITALS: readonly FieldDefinition[] = [
  {
    name: 'weight',
    type: 'text',
    label: 'Weight',
    validationType: 'number',
    validationMin: '20',
    validationMax: '[limit_kg]',
  },
  { name: 'limit_kg', type: 'text', label: 'Limit', validationType: 'integer' },
  { name: 'height', type: 'text', label: 'Height', validationType: 'integer', isRequired: true },
  {
    name: 'bmi',
    type: 'calc',
    label: 'BMI',
    choicesOrCalculations: 'round([weight] / ([height] / 100) ^ 2, 1)',
  },
  { name: 'unread', type: 'calc', label: 'Unread', choicesOrCalculations: '[weight] * 2 +' },
  { name: 'twice', type: 'calc', label: 'Twice', choicesOrCalculations: '[bmi] * 2' },
  { name: 'pain', type: 'slider', label: 'Pain', branchingLogic: "[sex] = '1' or [weight] > 50" },
  {
    name: 'dose',
    type: 'dropdown',
    label: 'Dose',
    choicesOrCalculations: 'a, Low | b, High for [height] cm',
    sectionHeader: 'For [first_name]',
  },
];

const DIARY: readonly FieldDefinition[] = [
  { name: 'remark', type: 'text', label: 'Remark', annotation: "@DEFAULT='[note]' @CHARLIMIT=60" },
  { name: 'said', type: 'text', label: 'Said', annotation: "@CALCTEXT(if([pain] > 50, 'much', [remark]))" },
  {
    name: 'of_record',
    type: 'text',
    label: 'Of',
    validationType: 'integer',
    annotation: '@CALCTEXT([record-name])',
  },
  { name: 'slept', type: 'yesno', label: 'Slept', branchingLogic: "[sites(1)] = '1'" },
  {
    name: 'again',
    type: 'truefalse',
    label: 'Again after [remark]',
    branchingLogic: "[intake_complete] = '2'",
  },
  { name: 'score', type: 'calc', label: 'Score', choicesOrCalculations: '[intake_complete] + 1' },
  { name: 'on_day', type: 'text', label: 'Day', validationType: 'date_ymd' },
  {
    name: 'months',
    type: 'calc',
    label: 'Months',
    choicesOrCalculations: "datediff([on_day], 'today', 'M')",
  },
  {
    name: 'is_old',
    type: 'yesno',
    label: 'Old',
    branchingLogic: '[age] > 80',
    annotation: "@DEFAULT='[joined]'",
  },
];

const LABS: readonly FieldDefinition[] = [
  { name: 'result', type: 'text', label: 'Result', validationType: 'number_1dp' },
  { name: 'scan', type: 'file', label: 'Scan' },
  { name: 'of_sites', type: 'checkbox', label: 'Of', choicesOrCalculations: '1, Blood | 2, [remark]' },
  { name: 'shown', type: 'descriptive', label: 'See [survey-link:diary] and [diary_complete]' },
];

const FORMS = { intake: INTAKE, vitals: VITALS, diary: DIARY, labs: LABS } as const;

function designOf(
  forms: Readonly<Record<string, readonly FieldDefinition[]>>,
  parts: Partial<Design>,
): Design {
  return {
    project: {
      title: 'Made up',
      notes: '',
      purpose: 2,
      piFirstName: '',
      piLastName: '',
      surveysEnabled: true,
      missingDataCodes: 'UNK, Unknown | -9, Not asked',
      creationTime: '2026-01-01 00:00:00',
      settings: {
        custom_record_label: '[first_name] [sex]',
        secondary_unique_field: 'email',
      },
    },
    fields: Object.entries(forms).flatMap(([form, fields]) => defineInstrument(form, fields)),
    instruments: Object.keys(forms).map((name) => ({ name, label: `The ${name}` })),
    arms: [],
    events: [],
    mappings: [],
    repeating: [],
    users: DEMO_USERS,
    groups: [
      { name: 'North', uniqueName: 'north', id: 1 },
      { name: 'South', uniqueName: 'south', id: 2 },
      { name: 'West', uniqueName: 'west', id: 3 },
    ],
    surveys: [
      { instrument: 'intake', hasReturnCodes: true },
      { instrument: 'diary', hasReturnCodes: true },
      { instrument: 'labs', hasReturnCodes: false },
    ],
    reports: [
      { id: 1, title: 'All', fields: ['first_name', 'weight'], filterLogic: "[sex] = '1'" },
      {
        id: 3,
        title: 'Wide',
        fields: ['on_day', 'sites', 'sex', 'note', 'consent', 'bmi', 'said', 'pain'],
        filterLogic: '',
        others: { output_dags: '1', output_survey_fields: '1' },
      },
      { id: 4, title: 'Rows', fields: ['pain', 'dose', 'result', 'of_sites'], filterLogic: '[pain] > 50' },
      {
        id: 5,
        title: 'Records',
        fields: ['slept', 'of_sites', 'remark'],
        filterLogic: "[slept] = '1'",
        isFilteredByRecord: true,
        others: { combine_checkbox_values: '1', remove_line_breaks_in_values: '0' },
      },
    ],
    hasStoredCalculations: true,
    ...parts,
  };
}

const EVENTS = ['base_arm_1', 'week_arm_1', 'end_arm_1', 'base_arm_2'] as const;

/** Classic, classic with a repeating instrument, and longitudinal with repeats and two arms. */
export const DESIGNS: Readonly<Record<'classic' | 'repeating' | 'longitudinal', Design>> = {
  classic: designOf(FORMS, {}),
  repeating: designOf(
    { ...FORMS, intake: INTAKE.map((field, at) => (at === 0 ? { ...field, isIdentifier: true } : field)) },
    { repeating: [{ event: '', instrument: 'labs', customLabel: '[result] of [remark]' }] },
  ),
  longitudinal: designOf(
    {
      ...FORMS,
      diary: [
        ...DIARY,
        {
          name: 'change',
          type: 'calc',
          label: 'Change since [base_arm_1][weight]',
          choicesOrCalculations: '[week_arm_1][weight] - [base_arm_1][weight]',
        },
        { name: 'late', type: 'yesno', label: 'Late', branchingLogic: "[end_arm_1][slept] = '1'" },
      ],
    },
    {
      arms: [
        { number: 1, name: 'Drug' },
        { number: 2, name: 'None' },
      ],
      events: EVENTS.map((uniqueName, at) => ({
        id: at + 1,
        uniqueName,
        label: (uniqueName.split('_')[0] ?? '').toUpperCase(),
        arm: uniqueName.endsWith('2') ? 2 : 1,
        customLabel: uniqueName === 'week_arm_1' ? '[on_day]' : '',
      })),
      mappings: [
        ['base_arm_1', 'intake', 'vitals', 'diary'],
        ['week_arm_1', 'vitals', 'diary', 'labs'],
        ['end_arm_1', 'vitals', 'diary'],
        ['base_arm_2', 'intake', 'diary'],
      ].flatMap(([event = '', ...forms]) => forms.map((instrument) => ({ event, instrument }))),
      repeating: [
        { event: 'week_arm_1', instrument: 'labs', customLabel: '[remark]' },
        { event: 'end_arm_1', instrument: '', customLabel: '' },
      ],
    },
  ),
};
