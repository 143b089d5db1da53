import type { Field } from '../../domain/dictionary/field.js';
import { ALL_RIGHTS, rightsOf, type Rights } from '../redcap/rights.js';
import type { Study, StudyInstrument, StudyUser } from '../redcap/study.js';
import { consentForm, fieldsOf, LAST_DAY, moved } from './made-up.js';
import { createDemoRows } from './demo-rows.js';

/** The token of the sandbox's data manager, who has all rights. It works only in a sandbox. */
export const DEMO_TOKEN = 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00';

/** The super token of the sandbox, which creates projects. It has 64 characters, as REDCap's. */
export const DEMO_SUPER_TOKEN = DEMO_TOKEN.repeat(2);

/** The token of a read-only user. */
export const DEMO_READER_TOKEN = 'DECAF000DECAF000DECAF000DECAF000';

/** The instruments of the demo study, in order. The last one repeats. */
const DEMO_INSTRUMENTS: readonly StudyInstrument[] = [
  { name: 'enrollment', label: 'Enrollment' },
  { name: 'demographics', label: 'Demographics' },
  { name: 'clinical_assessment', label: 'Clinical assessment' },
  { name: 'laboratory', label: 'Laboratory' },
  { name: 'follow_up', label: 'Follow-up visit' },
];

/** The data dictionary of the demo study: five instruments with every field type. */
const DEMO_FIELDS: readonly Field[] = fieldsOf(`
field_name;form_name;field_type;field_label;select_choices_or_calculations;text_validation_type_or_show_slider_number;text_validation_min;text_validation_max;identifier;required_field;branching_logic;section_header;field_note
record_id;enrollment;text;Record ID
welcome;enrollment;descriptive;<b>Welcome.</b> Everything in this study is made up.
userid;enrollment;text;User ID;;;;;;;;;The account of the participant portal
email;enrollment;text;Email address;;email;;;y
first_name;enrollment;text;First name;;;;;y;y
last_name;enrollment;text;Last name;;;;;y;y
phone;enrollment;text;Phone;;phone;;;y
consent_date;enrollment;text;Date of consent;;date_ymd;;;;y
consent_form;enrollment;file;Signed consent form
site;enrollment;dropdown;Study site;1, Le Havre | 2, Kraków | 3, São Paulo | 4, 東京;autocomplete;;;;y
birth_date;demographics;text;Date of birth;;date_dmy;;;y
age;demographics;text;Age at consent;;integer;0;120;;y;;;in full years
sex;demographics;radio;Sex;1, Female | 2, Male | 3, Intersex | 9, Not stated
languages;demographics;checkbox;Languages spoken at home;1, French | 2, Polish | 3, Portuguese | 4, Japanese | 5, Arabic, any dialect | -99, Prefers not to say
lives_alone;demographics;yesno;Lives alone
education;demographics;dropdown;Highest degree;1, None | 2, School | 3, Vocational | 4, University;;;;;;[age] >= 16
assessed_at;clinical_assessment;text;Assessed at;;datetime_ymd;;;;;;Body
height_cm;clinical_assessment;text;Height (cm);;number;40;230
weight_kg;clinical_assessment;text;Weight (kg);;number_1dp;2.0;300.0
bmi;clinical_assessment;calc;Body mass index;round([weight_kg] / ([height_cm] / 100)^(2), 1)
systolic;clinical_assessment;text;Systolic blood pressure;;integer;60;260
diastolic;clinical_assessment;text;Diastolic blood pressure;;integer;30;160
smoker;clinical_assessment;truefalse;Smokes at present;;;;;;;;Habits and complaints
symptoms;clinical_assessment;checkbox;Symptoms in the last month;cough, Cough | fever, Fever | fatigue, Fatigue | none, None of these
pain;clinical_assessment;slider;Pain;none | some | worst;number
clinical_notes;clinical_assessment;notes;Notes
sampled_at;laboratory;text;Sample taken at;;datetime_seconds_ymd
fasting_since;laboratory;text;Fasting since;;time
hemoglobin;laboratory;text;Hemoglobin (g/dl);;number_1dp
glucose;laboratory;text;Glucose (mmol/l);;number_2dp
analyser;laboratory;sql;Analyser;select id, name from analysers
visit_date;follow_up;text;Date of the visit;;date_mdy
visit_kind;follow_up;radio;Kind of visit;1, At the site | 2, By phone | 3, At home
visit_weight_kg;follow_up;text;Weight (kg);;number_1dp
adverse_event;follow_up;yesno;Adverse event since the last visit
visit_notes;follow_up;notes;Notes;;;;;;;[adverse_event] = '1'
`);

export interface DemoStudyOptions {
  /** 250 by default. */
  readonly participants?: number;
  /** The same seed produces the same study. */
  readonly seed?: number;
  /** The last day of the study, `YYYY-MM-DD`; by default the day that documentation and tests know. */
  readonly until?: string;
}

/** Creates a synthetic cohort study: five instruments, every field type, a repeating instrument, and no real people. */
export function createDemoStudy({
  participants = 250,
  seed = 20_261_120,
  until = LAST_DAY,
}: DemoStudyOptions = {}): Study {
  const rows = createDemoRows(participants, seed, until);
  return {
    project: {
      title: 'Cohort 2026 (synthetic)',
      notes: 'Made up from a seed. Nobody in it exists.',
      purpose: 0,
      piFirstName: 'Rosalind',
      piLastName: 'Franklin',
      surveysEnabled: false,
      missingDataCodes: '',
      creationTime: `${moved('2026-01-05', until)} 09:00:00`,
      // The record IDs are text.
      settings: { record_autonumbering_enabled: 0 },
    },
    fields: DEMO_FIELDS,
    instruments: DEMO_INSTRUMENTS,
    arms: [],
    events: [],
    mappings: [],
    repeating: [{ event: '', instrument: 'follow_up', customLabel: '[visit_date]' }],
    users: DEMO_USERS,
    rows,
    files: rows.flatMap((row) => consentForm(row, row.consent_date ?? '')),
  };
}

const READER: Rights = rightsOf({
  api_export: 1,
  reports: 1,
  stats_and_charts: 1,
  manage_survey_participants: 1,
  calendar: 1,
  file_repository: 1,
});

const user = (
  username: string,
  firstName: string,
  lastName: string,
  given: Partial<StudyUser> = {},
): StudyUser => ({
  username,
  email: `${username}@example.org`,
  firstName,
  lastName,
  token: '',
  expiration: '',
  group: '',
  role: '',
  rights: READER,
  ...given,
});

/** The users of every sandbox project, with addresses at example.org. */
export const DEMO_USERS: readonly StudyUser[] = [
  user('data.manager', 'Dorothy', 'Vaughan', { token: DEMO_TOKEN, rights: ALL_RIGHTS }),
  user('monitor', 'Max', 'Mustermann', { token: DEMO_READER_TOKEN }),
  user('coordinator', 'Inès', 'Dubois', {
    rights: { ...READER, api_import: 1, data_import_tool: 1, record_create: 1 },
  }),
  user('statistician', 'Florence', 'Nightingale'),
];
