import type { Field } from '../../domain/dictionary/field.js';
import type { StudyInstrument } from '../redcap/study.js';
import { defineInstrument } from './define-field.js';

/** The instruments of the demo study, in order. The last one repeats. */
export const DEMO_INSTRUMENTS: readonly StudyInstrument[] = [
  { name: 'enrollment', label: 'Enrollment' },
  { name: 'demographics', label: 'Demographics' },
  { name: 'clinical_assessment', label: 'Clinical assessment' },
  { name: 'laboratory', label: 'Laboratory' },
  { name: 'follow_up', label: 'Follow-up visit' },
];

/** The data dictionary of the demo study: five instruments with every field type. */
export const DEMO_FIELDS: readonly Field[] = [
  ...defineInstrument('enrollment', [
    { name: 'record_id', type: 'text', label: 'Record ID' },
    { name: 'welcome', type: 'descriptive', label: '<b>Welcome.</b> Everything in this study is made up.' },
    { name: 'userid', type: 'text', label: 'User ID', note: 'The account of the participant portal' },
    { name: 'email', type: 'text', label: 'Email address', validationType: 'email', isIdentifier: true },
    { name: 'first_name', type: 'text', label: 'First name', isIdentifier: true, isRequired: true },
    { name: 'last_name', type: 'text', label: 'Last name', isIdentifier: true, isRequired: true },
    { name: 'phone', type: 'text', label: 'Phone', validationType: 'phone', isIdentifier: true },
    {
      name: 'consent_date',
      type: 'text',
      label: 'Date of consent',
      validationType: 'date_ymd',
      isRequired: true,
    },
    { name: 'consent_form', type: 'file', label: 'Signed consent form' },
    {
      name: 'site',
      type: 'dropdown',
      label: 'Study site',
      choicesOrCalculations: '1, Le Havre | 2, Kraków | 3, São Paulo | 4, 東京',
      validationType: 'autocomplete',
      isRequired: true,
    },
  ]),
  ...defineInstrument('demographics', [
    {
      name: 'birth_date',
      type: 'text',
      label: 'Date of birth',
      validationType: 'date_dmy',
      isIdentifier: true,
    },
    {
      name: 'age',
      type: 'text',
      label: 'Age at consent',
      note: 'in full years',
      validationType: 'integer',
      validationMin: '0',
      validationMax: '120',
      isRequired: true,
    },
    {
      name: 'sex',
      type: 'radio',
      label: 'Sex',
      choicesOrCalculations: '1, Female | 2, Male | 3, Intersex | 9, Not stated',
    },
    {
      name: 'languages',
      type: 'checkbox',
      label: 'Languages spoken at home',
      choicesOrCalculations:
        '1, French | 2, Polish | 3, Portuguese | 4, Japanese | 5, Arabic, any dialect | -99, Prefers not to say',
    },
    { name: 'lives_alone', type: 'yesno', label: 'Lives alone' },
    {
      name: 'education',
      type: 'dropdown',
      label: 'Highest degree',
      choicesOrCalculations: '1, None | 2, School | 3, Vocational | 4, University',
      branchingLogic: '[age] >= 16',
    },
  ]),
  ...defineInstrument('clinical_assessment', [
    {
      name: 'assessed_at',
      type: 'text',
      label: 'Assessed at',
      validationType: 'datetime_ymd',
      sectionHeader: 'Body',
    },
    {
      name: 'height_cm',
      type: 'text',
      label: 'Height (cm)',
      validationType: 'number',
      validationMin: '40',
      validationMax: '230',
    },
    {
      name: 'weight_kg',
      type: 'text',
      label: 'Weight (kg)',
      validationType: 'number_1dp',
      validationMin: '2.0',
      validationMax: '300.0',
    },
    {
      name: 'bmi',
      type: 'calc',
      label: 'Body mass index',
      choicesOrCalculations: 'round([weight_kg] / ([height_cm] / 100)^(2), 1)',
    },
    {
      name: 'systolic',
      type: 'text',
      label: 'Systolic blood pressure',
      validationType: 'integer',
      validationMin: '60',
      validationMax: '260',
    },
    {
      name: 'diastolic',
      type: 'text',
      label: 'Diastolic blood pressure',
      validationType: 'integer',
      validationMin: '30',
      validationMax: '160',
    },
    { name: 'smoker', type: 'truefalse', label: 'Smokes at present', sectionHeader: 'Habits and complaints' },
    {
      name: 'symptoms',
      type: 'checkbox',
      label: 'Symptoms in the last month',
      choicesOrCalculations: 'cough, Cough | fever, Fever | fatigue, Fatigue | none, None of these',
    },
    {
      name: 'pain',
      type: 'slider',
      label: 'Pain',
      choicesOrCalculations: 'none | some | worst',
      validationType: 'number',
    },
    { name: 'clinical_notes', type: 'notes', label: 'Notes' },
  ]),
  ...defineInstrument('laboratory', [
    { name: 'sampled_at', type: 'text', label: 'Sample taken at', validationType: 'datetime_seconds_ymd' },
    { name: 'fasting_since', type: 'text', label: 'Fasting since', validationType: 'time' },
    { name: 'hemoglobin', type: 'text', label: 'Hemoglobin (g/dl)', validationType: 'number_1dp' },
    { name: 'glucose', type: 'text', label: 'Glucose (mmol/l)', validationType: 'number_2dp' },
    {
      name: 'analyser',
      type: 'sql',
      label: 'Analyser',
      choicesOrCalculations: 'select id, name from analysers',
    },
  ]),
  ...defineInstrument('follow_up', [
    { name: 'visit_date', type: 'text', label: 'Date of the visit', validationType: 'date_mdy' },
    {
      name: 'visit_kind',
      type: 'radio',
      label: 'Kind of visit',
      choicesOrCalculations: '1, At the site | 2, By phone | 3, At home',
    },
    { name: 'visit_weight_kg', type: 'text', label: 'Weight (kg)', validationType: 'number_1dp' },
    { name: 'adverse_event', type: 'yesno', label: 'Adverse event since the last visit' },
    { name: 'visit_notes', type: 'notes', label: 'Notes', branchingLogic: "[adverse_event] = '1'" },
  ]),
];
