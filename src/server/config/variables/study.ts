import type { VariableTopic } from './environment-variable.js';

/** The plan of the study, and what the summary leaves out. */
export const STUDY: VariableTopic = {
  topic: 'Study',
  variables: [
    {
      name: 'STUDY_FILE',
      description:
        'The file with the plan of the study: when each visit is expected, and which forms are optional ([The study at a glance](dashboard.md#the-plan-of-a-study)). Read again on SIGHUP.',
      default: 'none',
      example: 'study.yaml',
    },
    {
      name: 'STUDY_START',
      description:
        'First day of recruitment. With `STUDY_END` and `STUDY_TARGET` the summary draws the planned recruitment.',
      default: 'none',
      example: '2026-01-05',
    },
    {
      name: 'STUDY_END',
      description: 'Last day of recruitment.',
      default: 'none',
      example: '2026-12-31',
    },
    {
      name: 'STUDY_TARGET',
      description: 'Planned number of records by `STUDY_END`.',
      default: 'none',
      example: '400',
    },
    {
      name: 'STUDY_DATE_FIELD',
      description: 'The field with the day on which a record joined the study.',
      default: 'first date field of the first instrument',
      example: 'consent_date',
    },
    {
      name: 'SMALL_CELL',
      description:
        'Counts from 1 to below this are left out of the summary for callers without `records:read`; 1 leaves nothing out.',
      example: '10',
    },
  ],
};
