import { uniqueEventName, uniqueGroupName } from '../redcap/unique-names.js';
import type { Study, StudyEvent, StudyGroup } from '../redcap/study.js';

/** A planned visit: its instruments and its day in the study. */
interface PlannedEvent {
  readonly label: string;
  readonly armNumber: number;
  readonly day: number;
  readonly instruments: readonly string[];
  /** Whether the whole event can repeat. */
  readonly isRepeating?: boolean;
}

const PLAN: readonly PlannedEvent[] = [
  { label: 'Enrolment', armNumber: 1, day: 0, instruments: ['enrolment', 'vitals', 'medication'] },
  { label: 'Week 1', armNumber: 1, day: 7, instruments: ['vitals', 'quality_of_life'] },
  { label: 'Week 4', armNumber: 1, day: 28, instruments: ['vitals', 'medication', 'quality_of_life'] },
  {
    label: 'Unscheduled visit',
    armNumber: 1,
    day: 30,
    instruments: ['vitals', 'adverse_event'],
    isRepeating: true,
  },
  { label: 'Week 12', armNumber: 1, day: 84, instruments: ['vitals', 'quality_of_life', 'completion'] },
  { label: 'Enrolment', armNumber: 2, day: 0, instruments: ['enrolment', 'vitals', 'medication'] },
  { label: 'Week 4', armNumber: 2, day: 28, instruments: ['vitals', 'quality_of_life'] },
  { label: 'Week 12', armNumber: 2, day: 84, instruments: ['vitals', 'quality_of_life', 'completion'] },
];

/** The last day with data, `YYYY-MM-DD`. */
export const LAST_DAY = '2026-11-03';

/** The planned events of all arms, with their unique names. */
export const TRIAL_PLAN: readonly (PlannedEvent & { readonly uniqueName: string })[] = PLAN.map(
  (planned) => ({
    ...planned,
    uniqueName: uniqueEventName(planned.label, planned.armNumber, new Set()),
  }),
);

/**
 * What the trial plans: each visit on its day after the date of consent, with three days' time, and no adverse event or
 * unscheduled visit. The trial has a last day, so that the visits that are due are the same in every run.
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
  today: LAST_DAY,
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
  events: TRIAL_PLAN.map(({ label, armNumber, uniqueName, day }): StudyEvent => ({
    label,
    armNumber,
    uniqueName,
    customLabel: '',
    dayOffset: day,
    offsetMin: 0,
    offsetMax: 3,
  })),
  mappings: TRIAL_PLAN.flatMap(({ uniqueName, instruments }) =>
    instruments.map((instrument) => ({ uniqueEventName: uniqueName, instrument })),
  ),
  repeating: TRIAL_PLAN.flatMap(({ uniqueName, instruments, isRepeating }) => [
    ...(isRepeating === true ? [{ uniqueEventName: uniqueName, instrument: '', customLabel: '' }] : []),
    ...(instruments.includes('medication')
      ? [{ uniqueEventName: uniqueName, instrument: 'medication', customLabel: '[drug]' }]
      : []),
  ]),
};
