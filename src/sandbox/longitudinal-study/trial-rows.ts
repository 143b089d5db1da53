import { FIRST_NAMES, LAST_NAMES, moved, SeededRandom } from '../demo-study/made-up.js';
import { TRIAL_PLAN, TRIAL_SITES } from './trial-design.js';

type Row = Record<string, string>;

/** A saved row and the day on which it was saved. */
export interface TrialEntry {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly row: Row;
}

/** The start of the study, a year before the end of its log on `LAST_DAY`. */
const BEGIN = Date.UTC(2025, 10, 3);

/** People enroll until two weeks before the last day, so a quarter of them is still in the study. */
const ENROLMENT_DAYS = 350;

/** Returns an ID such as `TRIAL-2026-PARTICIPANT-0001`: 27 characters, so that text order is numeric order. */
export function trialParticipantId(number: number): string {
  return `TRIAL-2026-PARTICIPANT-${String(number).padStart(4, '0')}`;
}

/** Creates the saved rows of all participants, each in order of their visits, up to the last day with data. */
export function createTrialEntries(participants: number, seed: number, until: string): TrialEntry[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: participants }, (_, index) =>
    participant(index + 1, participants, random, until),
  ).flat();
}

function participant(
  number: number,
  participants: number,
  random: SeededRandom,
  until: string,
): TrialEntry[] {
  const enrolled = Math.round(((number - 1) * ENROLMENT_DAYS) / participants);
  const arm = random.chance(0.6) ? 1 : 2;
  const site = TRIAL_SITES[(number - 1) % TRIAL_SITES.length];
  const person: Person = {
    number,
    height: Math.round(random.around(169, 24)),
    weight: random.around(74, 40),
    // One in ten leaves the study before its last visit.
    leavesAfter: random.chance(0.1) ? 30 : Number.POSITIVE_INFINITY,
  };
  const common = {
    record_id: trialParticipantId(number),
    redcap_data_access_group: site?.uniqueName ?? '',
    redcap_survey_identifier: `Participant ${number}`,
  };
  return TRIAL_PLAN.filter((planned) => planned.arm === arm && planned.day <= person.leavesAfter)
    .flatMap((planned) => {
      const day = dayAfter(until, enrolled + planned.day + (planned.day === 0 ? 0 : random.integer(0, 3)));
      const place = { ...common, redcap_event_name: planned.uniqueName };
      return visit(planned, place, day, person, random);
    })
    .filter(({ day }) => day <= until);
}

interface Person {
  readonly number: number;
  readonly height: number;
  readonly weight: number;
  readonly leavesAfter: number;
}

type Planned = (typeof TRIAL_PLAN)[number];

function visit(
  planned: Planned,
  place: Row,
  day: string,
  person: Person,
  random: SeededRandom,
): TrialEntry[] {
  if (planned.isRepeating === true) {
    const times = random.chance(0.25) ? random.integer(1, 2) : 0;
    return Array.from({ length: times }, (_, index) => ({
      day,
      row: {
        ...place,
        redcap_repeat_instance: String(index + 1),
        ...vitals(day, person, random),
        ...adverseEvent(day, random),
      },
    }));
  }
  const base = {
    ...place,
    ...(planned.instruments.includes('enrolment') && enrolment(day, person, random)),
    ...vitals(day, person, random),
    ...(planned.instruments.includes('quality_of_life') && random.chance(0.85) && qualityOfLife(day, random)),
    ...(planned.instruments.includes('completion') && {
      ended_on: day,
      outcome: random.chance(0.9) ? '1' : '3',
      completion_complete: '2',
    }),
  };
  const medicines = planned.instruments.includes('medication') ? random.integer(0, 2) : 0;
  const instances = Array.from({ length: medicines }, (_, index) => ({
    ...place,
    redcap_repeat_instrument: 'medication',
    redcap_repeat_instance: String(index + 1),
    ...medication(day, random),
  }));
  return [base, ...instances].map((row) => ({ day, row }));
}

function enrolment(day: string, { number }: Person, random: SeededRandom): Row {
  const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
  return {
    userid: `trial.${number}`,
    email: `${first.ascii}.${last.ascii}.${number}@example.org`,
    first_name: first.text,
    last_name: last.text,
    consent_date: day,
    ...(number % 5 === 1 && { consent_form: `consent_${number}.pdf` }),
    age: String(random.integer(18, 90)),
    sex: random.pick(['1', '1', '2', '2', '3']),
    [`conditions___${random.pick(['ht', 'dm', 'as', '_1', '_1'])}`]: '1',
    enrolment_complete: '2',
  };
}

function vitals(day: string, { height, weight }: Person, random: SeededRandom): Row {
  return {
    visit_date: day,
    weight_kg: (weight + random.around(0, 4)).toFixed(1),
    height_cm: String(height),
    systolic: String(Math.round(random.around(126, 40))),
    pain: String(random.integer(0, 100)),
    vitals_complete: random.pick(['2', '2', '2', '1']),
  };
}

function medication(day: string, random: SeededRandom): Row {
  return {
    drug: random.pick(['Paracetamol', 'Metformin', 'Salbutamol, inhaled', 'Ramipril']),
    dose_mg: String(random.pick([5, 10, 500, 850])),
    taken_since: day,
    is_ongoing: random.chance(0.7) ? '1' : '0',
    medication_complete: '2',
  };
}

/** Creates a survey response. One in five was started but not completed. */
function qualityOfLife(day: string, random: SeededRandom): Row {
  const isComplete = random.chance(0.8);
  return {
    sleep: String(random.integer(1, 3)),
    ...(isComplete && {
      energy: String(random.integer(1, 3)),
      in_own_words: random.pick([
        'Quiet.',
        'Busy; "slept badly", walked a lot.',
        'Très bien.\nMerci.',
        '良い週でした',
      ]),
    }),
    quality_of_life_timestamp: isComplete ? `${day} 18:${two(random.integer(0, 59))}:00` : '[not completed]',
    quality_of_life_complete: isComplete ? '2' : '0',
  };
}

function adverseEvent(day: string, random: SeededRandom): Row {
  const severity = random.pick(['1', '1', '2', '3']);
  return {
    event_date: day,
    severity,
    ...(severity !== '1' && { event_notes: 'Headache for two days; seen at the site.' }),
    adverse_event_complete: '2',
  };
}

function dayAfter(until: string, days: number): string {
  return moved(new Date(BEGIN + days * 86_400_000).toISOString().slice(0, 10), until);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
