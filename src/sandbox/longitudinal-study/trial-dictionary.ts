import type { Field } from '../../domain/dictionary/field.js';
import { fieldsOf } from '../demo-study/read-fields.js';
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
