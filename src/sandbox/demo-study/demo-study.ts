import { ALL_RIGHTS, rightsOf, type Rights } from '../redcap/rights.js';
import type { Study, StudyUser } from '../redcap/study.js';
import { consentForm } from './made-up.js';
import { DEMO_FIELDS, DEMO_INSTRUMENTS } from './demo-dictionary.js';
import { createDemoRows } from './demo-rows.js';

/** The token of the sandbox's data manager, who has all rights. It works only in a sandbox. */
export const DEMO_TOKEN = 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00';

/** The super token of the sandbox, which creates projects. It has 64 characters, as REDCap's. */
export const DEMO_SUPER_TOKEN = DEMO_TOKEN.repeat(2);

/** The token of a read-only user. */
export const DEMO_READER_TOKEN = 'DECAF000DECAF000DECAF000DECAF000';

export interface DemoStudyOptions {
  /** 250 by default. */
  readonly participants?: number;
  /** The same seed produces the same study. */
  readonly seed?: number;
}

/** Creates a synthetic cohort study: five instruments, every field type, a repeating instrument, and no real people. */
export function createDemoStudy({ participants = 250, seed = 20_261_120 }: DemoStudyOptions = {}): Study {
  const rows = createDemoRows(participants, seed);
  return {
    project: {
      title: 'Cohort 2026 (synthetic)',
      notes: 'Made up from a seed. Nobody in it exists.',
      purpose: 0,
      piFirstName: 'Rosalind',
      piLastName: 'Franklin',
      surveysEnabled: false,
      missingDataCodes: '',
      creationTime: '2026-01-05 09:00:00',
      // The record IDs are text.
      settings: { record_autonumbering_enabled: 0 },
    },
    fields: DEMO_FIELDS,
    instruments: DEMO_INSTRUMENTS,
    arms: [],
    events: [],
    mappings: [],
    repeating: [{ uniqueEventName: '', instrument: 'follow_up', customLabel: '[visit_date]' }],
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
