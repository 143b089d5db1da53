import { FIRST_NAMES, LAST_NAMES, moved, SeededRandom } from './made-up.js';

type Row = Record<string, string>;

/** The first two participants are always the same, since examples and documentation name them. */
const KNOWN: readonly Row[] = [
  {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada.lovelace@example.org',
    userid: 'ada.lovelace',
    birth_date: '1990-12-10',
    age: '36',
  },
  {
    first_name: 'Alan',
    last_name: 'Turing',
    email: 'alan.turing@example.org',
    userid: 'alan.turing',
    birth_date: '1985-06-23',
    age: '41',
  },
];

/** The address that participants 7 and 8 share, with different user IDs: looking it up fails with `ambiguous_user`. */
export const AMBIGUOUS_EMAIL = 'shared.address@example.org';

/** Returns an ID such as `COHORT-2026-PARTICIPANT-0001`: 28 characters, so that text order is numeric order. */
export function participantId(number: number): string {
  return `COHORT-2026-PARTICIPANT-${String(number).padStart(4, '0')}`;
}

/** Creates the rows of the demo study: one base row per participant and up to three follow-up visits. */
export function createDemoRows(participants: number, seed: number, until: string): Row[] {
  const random = new SeededRandom(seed);
  const dayOf: DayOf = (month, day) => moved(date(2026, month, day), until);
  return Array.from({ length: participants }, (_, index) => participant(index + 1, random, dayOf)).flat();
}

/** A day of 2026, moved with the study's last day. */
type DayOf = (month: number, day: number) => string;

function participant(number: number, random: SeededRandom, dayOf: DayOf): Row[] {
  const base = {
    record_id: participantId(number),
    ...enrollment(number, random, dayOf),
    ...demographics(random),
    ...clinicalAssessment(random, dayOf),
    ...laboratory(random, dayOf),
    ...KNOWN[number - 1],
  };
  // Two thirds of the participants have follow-up visits.
  const visits = random.chance(0.67) ? random.integer(1, 3) : 0;
  return [
    base,
    ...Array.from({ length: visits }, (_, index) => visit(base.record_id, index + 1, random, dayOf)),
  ];
}

function enrollment(number: number, random: SeededRandom, dayOf: DayOf): Row {
  const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
  const isShared = number === 7 || number === 8;
  const address = isShared ? AMBIGUOUS_EMAIL : `${first.ascii}.${last.ascii}.${number}@example.org`;
  return {
    first_name: first.text,
    last_name: last.text,
    ...(isShared || !random.chance(0.08) ? { email: address, userid: `participant.${number}` } : {}),
    ...(random.chance(0.7) && { phone: `(${random.integer(201, 989)}) 555-${random.integer(1000, 9999)}` }),
    consent_date: dayOf(random.integer(1, 10), random.integer(1, 28)),
    ...(random.chance(0.4) && { consent_form: `consent_${number}.pdf` }),
    site: String(random.integer(1, 4)),
    enrollment_complete: '2',
  };
}

function demographics(random: SeededRandom): Row {
  const age = random.integer(16, 92);
  const languages = ['1', '2', '3', '4', '5'].filter(() => random.chance(0.3));
  return {
    birth_date: date(2026 - age, random.integer(1, 12), random.integer(1, 28)),
    ...(random.chance(0.96) && { age: String(age) }),
    sex: random.pick(['1', '1', '1', '2', '2', '2', '3', '9']),
    ...Object.fromEntries(languages.map((code) => [`languages___${code}`, '1'])),
    ...(languages.length === 0 && random.chance(0.3) && { languages____99: '1' }),
    lives_alone: random.chance(0.3) ? '1' : '0',
    ...(random.chance(0.9) && { education: String(random.integer(1, 4)) }),
    demographics_complete: random.pick(['2', '2', '2', '1', '0']),
  };
}

function clinicalAssessment(random: SeededRandom, dayOf: DayOf): Row {
  if (random.chance(0.06)) return {}; // never assessed: the form status stays gray
  return {
    assessed_at: `${dayOf(random.integer(2, 10), random.integer(1, 28))} ${clock(random)}`,
    height_cm: String(Math.round(random.around(169, 24))),
    weight_kg: random.around(74, 45).toFixed(1),
    systolic: String(Math.round(random.around(126, 50))),
    diastolic: String(Math.round(random.around(80, 30))),
    smoker: random.chance(0.22) ? '1' : '0',
    [`symptoms___${random.pick(['cough', 'fever', 'fatigue', 'none', 'none'])}`]: '1',
    ...(random.chance(0.8) && { pain: String(random.integer(0, 100)) }),
    ...(random.chance(0.25) && { clinical_notes: random.pick(NOTES) }),
    clinical_assessment_complete: random.pick(['2', '2', '1']),
  };
}

const NOTES: readonly [string, ...string[]] = [
  'Feels well, "no complaints", returns in six months.',
  'Line one: slept badly.\nLine two: coffee, three cups; tea, none.',
  'Naïve to treatment — première visite. Größe geschätzt.',
  '<i>See the scanned form</i> & call back.',
];

function laboratory(random: SeededRandom, dayOf: DayOf): Row {
  if (random.chance(0.15)) return {};
  return {
    sampled_at: `${dayOf(random.integer(2, 10), random.integer(1, 28))} ${clock(random)}:${two(random.integer(0, 59))}`,
    fasting_since: clock(random),
    hemoglobin: random.around(13.8, 5).toFixed(1),
    glucose: random.around(5.4, 3).toFixed(2),
    analyser: String(random.integer(1, 3)),
    laboratory_complete: '2',
  };
}

function visit(recordId: string, instance: number, random: SeededRandom, dayOf: DayOf): Row {
  const hadEvent = random.chance(0.12);
  return {
    record_id: recordId,
    redcap_repeat_instrument: 'follow_up',
    redcap_repeat_instance: String(instance),
    visit_date: dayOf(Math.min(12, 3 + instance * 2), random.integer(1, 28)),
    visit_kind: String(random.integer(1, 3)),
    visit_weight_kg: random.around(74, 45).toFixed(1),
    adverse_event: hadEvent ? '1' : '0',
    ...(hadEvent && { visit_notes: 'Headache, two days; no treatment.' }),
    follow_up_complete: '2',
  };
}

function date(year: number, month: number, day: number): string {
  return `${year}-${two(month)}-${two(day)}`;
}

function clock(random: SeededRandom): string {
  return `${two(random.integer(7, 18))}:${two(random.integer(0, 59))}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
