import type { Field } from '../../domain/dictionary/field.js';
import { fieldsOf } from '../demo-study/made-up.js';
import { uniqueEventName, uniqueGroupName } from '../redcap/unique-names.js';
import type { Study, StudyEvent, StudyGroup, StudyInstrument } from '../redcap/study.js';

/** A planned visit: its instruments and its day in the study. */
interface PlannedEvent {
  readonly label: string;
  readonly arm: number;
  readonly day: number;
  readonly instruments: readonly string[];
  /** Whether the whole event can repeat. */
  readonly isRepeating?: boolean;
}

const PLAN: readonly PlannedEvent[] = [
  { label: 'Enrolment', arm: 1, day: 0, instruments: ['enrolment', 'vitals', 'medication'] },
  { label: 'Week 1', arm: 1, day: 7, instruments: ['vitals', 'quality_of_life'] },
  { label: 'Week 4', arm: 1, day: 28, instruments: ['vitals', 'medication', 'quality_of_life'] },
  {
    label: 'Unscheduled visit',
    arm: 1,
    day: 30,
    instruments: ['vitals', 'adverse_event'],
    isRepeating: true,
  },
  { label: 'Week 12', arm: 1, day: 84, instruments: ['vitals', 'quality_of_life', 'completion'] },
  { label: 'Enrolment', arm: 2, day: 0, instruments: ['enrolment', 'vitals', 'medication'] },
  { label: 'Week 4', arm: 2, day: 28, instruments: ['vitals', 'quality_of_life'] },
  { label: 'Week 12', arm: 2, day: 84, instruments: ['vitals', 'quality_of_life', 'completion'] },
];

/** The planned events of all arms, with their unique names. */
export const TRIAL_PLAN: readonly (PlannedEvent & { readonly uniqueName: string })[] = PLAN.map(
  (planned) => ({ ...planned, uniqueName: uniqueEventName(planned.label, planned.arm, new Set()) }),
);

/**
 * What the trial plans: each visit on its day after the date of consent, with three days' time, and no adverse event or
 * unscheduled visit.
 */
export const TRIAL_STUDY = {
  optional: { forms: ['adverse_event'], events: ['unscheduled_visit_arm_1'] },
  schedule: {
    anchor: 'consent_date',
    end: 'ended_on',
    visitDate: 'visit_date',
    visits: Object.fromEntries(
      TRIAL_PLAN.filter(({ day, isRepeating }) => day > 0 && isRepeating !== true).map(
        ({ uniqueName, day }) => [uniqueName, { day, before: 0, after: 3 }],
      ),
    ),
  },
};

export const TRIAL_SITES: readonly StudyGroup[] = ['Le Havre', 'Krakow', 'Sao Paulo', 'Tokyo'].map(
  (name, index) => ({ name, uniqueName: uniqueGroupName(name, new Set()), id: index + 1 }),
);

/** Arms, events, designations and repeats: two arms, eight events, a repeating event and a repeating instrument. */
export const TRIAL_DESIGN: Pick<Study, 'arms' | 'events' | 'mappings' | 'repeating'> = {
  arms: [
    { number: 1, name: 'Treatment' },
    { number: 2, name: 'Comparison' },
  ],
  events: TRIAL_PLAN.map(({ label, arm, uniqueName, day }): StudyEvent => ({
    label,
    arm,
    uniqueName,
    customLabel: '',
    dayOffset: day,
    offsetMin: 0,
    offsetMax: 3,
  })),
  mappings: TRIAL_PLAN.flatMap(({ uniqueName, instruments }) =>
    instruments.map((instrument) => ({ event: uniqueName, instrument })),
  ),
  repeating: TRIAL_PLAN.flatMap(({ uniqueName, instruments, isRepeating }) => [
    ...(isRepeating === true ? [{ event: uniqueName, instrument: '', customLabel: '' }] : []),
    ...(instruments.includes('medication')
      ? [{ event: uniqueName, instrument: 'medication', customLabel: '[drug]' }]
      : []),
  ]),
};

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
export const TRIAL_FIELDS: readonly Field[] = fieldsOf(`
field_name;form_name;field_type;field_label;select_choices_or_calculations;text_validation_type_or_show_slider_number;text_validation_min;text_validation_max;identifier;required_field;branching_logic;section_header;matrix_group_name
record_id;enrolment;text;Record ID
userid;enrolment;text;User ID
email;enrolment;text;Email address;;email;;;y
first_name;enrolment;text;First name;;;;;y;y
last_name;enrolment;text;Last name;;;;;y;y
consent_date;enrolment;text;Date of consent;;date_ymd
consent_form;enrolment;file;Signed consent form
age;enrolment;text;Age at consent;;integer;18;99
sex;enrolment;radio;Sex;1, Female | 2, Male | 3, Intersex
conditions;enrolment;checkbox;Known conditions;ht, Hypertension | dm, Diabetes | as, Asthma | -1, None
visit_date;vitals;text;Date of the visit;;date_dmy
weight_kg;vitals;text;Weight (kg);;number_1dp;;;;;;Measured at the site
height_cm;vitals;text;Height (cm);;integer
bmi;vitals;calc;Body mass index;round([weight_kg] / ([height_cm] / 100)^(2), 1)
systolic;vitals;text;Systolic blood pressure;;integer
pain;vitals;slider;Pain;none | some | worst
drug;medication;text;Medicine;;;;;;y
dose_mg;medication;text;Dose (mg);;number
taken_since;medication;text;Taken since;;date_ymd
is_ongoing;medication;yesno;Still taken
sleep;quality_of_life;radio;How well did you sleep?;1, Badly | 2, Fairly | 3, Well;;;;;;;;week
energy;quality_of_life;radio;How much energy did you have?;1, Badly | 2, Fairly | 3, Well;;;;;;;;week
in_own_words;quality_of_life;notes;How was your week?
event_date;adverse_event;text;Date of the event;;date_ymd
severity;adverse_event;dropdown;Severity;1, Mild | 2, Moderate | 3, Severe
event_notes;adverse_event;notes;What happened;;;;;;;[severity] <> '1'
ended_on;completion;text;Last day in the study;;date_ymd
outcome;completion;dropdown;Outcome;1, Completed | 2, Withdrew | 3, Lost to follow-up
`);
