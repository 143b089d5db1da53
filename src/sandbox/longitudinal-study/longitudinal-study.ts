import { consentForm, LAST_DAY } from '../demo-study/made-up.js';
import { DEMO_USERS, type DemoStudyOptions } from '../demo-study/demo-study.js';
import { rightsOf, type FormRights } from '../redcap/rights.js';
import type { Study, StudyRole, StudyUser } from '../redcap/study.js';
import { TRIAL_DESIGN, TRIAL_FIELDS, TRIAL_INSTRUMENTS, TRIAL_SITES } from './trial-design.js';
import { createdAt, createTrialLog } from './trial-log.js';
import { createTrialEntries } from './trial-rows.js';

/** The token of a user at the first site, Le Havre, who sees only its records. */
export const SITE_TOKEN = '51735173517351735173517351735173';

/**
 * Creates a synthetic trial: two arms, eight events, a repeating instrument and a repeating event, four sites as data
 * access groups, a survey, consent forms, reports and a log of one year. None of its people are real.
 */
export function createLongitudinalStudy({
  participants = 120,
  seed = 20_261_121,
  until = LAST_DAY,
}: DemoStudyOptions = {}): Study {
  const entries = createTrialEntries(participants, seed, until);
  return {
    project: {
      title: 'Trial 2026 (synthetic)',
      notes: 'Made up from a seed. Nobody in it exists.',
      purpose: 2,
      piFirstName: 'Rosalind',
      piLastName: 'Franklin',
      surveysEnabled: true,
      missingDataCodes: 'UNK, Unknown | NA, Not applicable',
      creationTime: createdAt(until),
      settings: { record_autonumbering_enabled: 0, scheduling_enabled: 1 },
    },
    fields: TRIAL_FIELDS,
    instruments: TRIAL_INSTRUMENTS,
    ...TRIAL_DESIGN,
    groups: TRIAL_SITES,
    roles: [SITE_ROLE],
    users: [...DEMO_USERS, ...siteUsers()],
    surveys: [{ instrument: 'quality_of_life', title: 'Your week', hasReturnCodes: true }],
    reports: [
      {
        id: 1,
        title: 'Severe adverse events',
        uniqueName: 'R-TRIAL00001',
        fields: ['record_id', 'event_date', 'severity', 'event_notes'],
        filterLogic: "[severity] = '3'",
      },
      {
        id: 2,
        title: 'Who has completed the study',
        uniqueName: 'R-TRIAL00002',
        fields: ['record_id', 'ended_on', 'outcome'],
        filterLogic: "[outcome] = '1'",
      },
    ],
    rows: entries.map(({ row }) => row),
    files: entries.flatMap(({ row, day }) => consentForm(row, day)),
    log: createTrialLog(entries, until),
  };
}

const FORM_RIGHTS: FormRights = {
  forms: Object.fromEntries(TRIAL_INSTRUMENTS.map(({ name }) => [name, 130])),
  formsExport: Object.fromEntries(TRIAL_INSTRUMENTS.map(({ name }) => [name, 1])),
};

const SITE_ROLE: StudyRole = {
  uniqueName: 'U-SITESTAFF1',
  label: 'Site staff',
  rights: rightsOf({
    api_export: 1,
    api_import: 1,
    record_create: 1,
    manage_survey_participants: 1,
    reports: 1,
  }),
  formRights: FORM_RIGHTS,
};

function siteUsers(): StudyUser[] {
  return TRIAL_SITES.map(({ uniqueName }, index) => ({
    username: `site.${uniqueName}`,
    email: `site.${uniqueName}@example.org`,
    firstName: 'Site',
    lastName: uniqueName,
    token: index === 0 ? SITE_TOKEN : '',
    expiration: '',
    group: uniqueName,
    role: SITE_ROLE.uniqueName,
    rights: rightsOf({}),
  }));
}
