import type { Field } from '../../domain/dictionary/field.js';
import { defineInstrument } from '../demo-study/define-field.js';
import type { StudyInstrument } from '../redcap/study.js';

/** The instruments of the longitudinal study, in order. */
export const TRIAL_INSTRUMENTS: readonly StudyInstrument[] = [
  { name: 'enrolment', label: 'Enrolment' },
  { name: 'vitals', label: 'Vital signs' },
  { name: 'medication', label: 'Medication' },
  { name: 'quality_of_life', label: 'Quality of life' },
  { name: 'adverse_event', label: 'Adverse event' },
  { name: 'completion', label: 'End of study' },
];

/** The data dictionary of the longitudinal study. */
export const TRIAL_FIELDS: readonly Field[] = [
  ...defineInstrument('enrolment', [
    { name: 'record_id', type: 'text', label: 'Record ID' },
    { name: 'userid', type: 'text', label: 'User ID' },
    { name: 'email', type: 'text', label: 'Email address', validationType: 'email', isIdentifier: true },
    { name: 'first_name', type: 'text', label: 'First name', isIdentifier: true, isRequired: true },
    { name: 'last_name', type: 'text', label: 'Last name', isIdentifier: true, isRequired: true },
    { name: 'consent_date', type: 'text', label: 'Date of consent', validationType: 'date_ymd' },
    { name: 'consent_form', type: 'file', label: 'Signed consent form' },
    {
      name: 'age',
      type: 'text',
      label: 'Age at consent',
      validationType: 'integer',
      validationMin: '18',
      validationMax: '99',
    },
    { name: 'sex', type: 'radio', label: 'Sex', choicesOrCalculations: '1, Female | 2, Male | 3, Intersex' },
    {
      name: 'conditions',
      type: 'checkbox',
      label: 'Known conditions',
      choicesOrCalculations: 'ht, Hypertension | dm, Diabetes | as, Asthma | -1, None',
    },
  ]),
  ...defineInstrument('vitals', [
    { name: 'visit_date', type: 'text', label: 'Date of the visit', validationType: 'date_dmy' },
    {
      name: 'weight_kg',
      type: 'text',
      label: 'Weight (kg)',
      validationType: 'number_1dp',
      sectionHeader: 'Measured at the site',
    },
    { name: 'height_cm', type: 'text', label: 'Height (cm)', validationType: 'integer' },
    {
      name: 'bmi',
      type: 'calc',
      label: 'Body mass index',
      choicesOrCalculations: 'round([weight_kg] / ([height_cm] / 100)^(2), 1)',
    },
    { name: 'systolic', type: 'text', label: 'Systolic blood pressure', validationType: 'integer' },
    { name: 'pain', type: 'slider', label: 'Pain', choicesOrCalculations: 'none | some | worst' },
  ]),
  ...defineInstrument('medication', [
    { name: 'drug', type: 'text', label: 'Medicine', isRequired: true },
    { name: 'dose_mg', type: 'text', label: 'Dose (mg)', validationType: 'number' },
    { name: 'taken_since', type: 'text', label: 'Taken since', validationType: 'date_ymd' },
    { name: 'is_ongoing', type: 'yesno', label: 'Still taken' },
  ]),
  ...defineInstrument('quality_of_life', [
    {
      name: 'sleep',
      type: 'radio',
      label: 'How well did you sleep?',
      choicesOrCalculations: '1, Badly | 2, Fairly | 3, Well',
      matrixGroup: 'week',
    },
    {
      name: 'energy',
      type: 'radio',
      label: 'How much energy did you have?',
      choicesOrCalculations: '1, Badly | 2, Fairly | 3, Well',
      matrixGroup: 'week',
    },
    { name: 'in_own_words', type: 'notes', label: 'How was your week?' },
  ]),
  ...defineInstrument('adverse_event', [
    { name: 'event_date', type: 'text', label: 'Date of the event', validationType: 'date_ymd' },
    {
      name: 'severity',
      type: 'dropdown',
      label: 'Severity',
      choicesOrCalculations: '1, Mild | 2, Moderate | 3, Severe',
    },
    { name: 'event_notes', type: 'notes', label: 'What happened', branchingLogic: "[severity] <> '1'" },
  ]),
  ...defineInstrument('completion', [
    { name: 'ended_on', type: 'text', label: 'Last day in the study', validationType: 'date_ymd' },
    {
      name: 'outcome',
      type: 'dropdown',
      label: 'Outcome',
      choicesOrCalculations: '1, Completed | 2, Withdrew | 3, Lost to follow-up',
    },
  ]),
];
