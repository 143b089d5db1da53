import type { Rules } from '../proof/chosen-records.js';
import { addressOf, type Case, type Design } from '../proof/made-up.js';
import { Deidentified } from '../proof/deidentified.js';
import { smallerStudy } from '../proof/smaller-study.js';
import type { SeededRandom } from '../../src/sandbox/demo-study/made-up.js';
import { rightsOf } from '../../src/sandbox/redcap/rights.js';
import type { StudyUser } from '../../src/sandbox/redcap/study.js';

const KINDS = [
  'some',
  'some',
  'some',
  'mirrored',
  'whole',
  'whole',
  'deidentified',
  'deidentified',
  'deidentified',
] as const;

/** Makes up a policy and a person that it is for; or the rights of a REDCap user, which take the place of a policy. */
export function madeUpCase(random: SeededRandom, design: Design): Case {
  const fields = design.fields.map(({ name }) => name);
  const email = addressOf(random.pick([101, 102, 103, 900]));
  const person = { group: 'north', email };
  const kind = random.pick([...KINDS]);
  if (kind === 'mirrored') return mirrored(random, design, email);
  if (kind === 'deidentified') return deidentifying(random, design, person);
  if (kind === 'whole') {
    // Only whoever may change all of a record may delete or rename it.
    const forms = Object.fromEntries(design.instruments.map(({ name }) => [name, 'write'] as const));
    const records = random.pick<Rules['records']>([
      'all',
      GROUP,
      { where: conditionOf(random, design) },
      { where: conditionOf(random, design) },
    ]);
    const rules: Rules = {
      records,
      forms,
      create: 'where' in Object(records) ? false : { prefix: 'OWN-' },
      files: random.pick(['none', 'read', 'write', 'write']),
      log: random.pick(['none', 'read']),
    };
    return { rules: withReports(rules, random, design, fields), accepted: new Set(fields), person };
  }
  const rules = someRules(random, design);
  const accepted = new Set(some(random, fields, random.pick([1, 1, 0.9])));
  return { rules: withReports(rules, random, design, [...accepted]), accepted, person };
}

const GROUP = { dag: '$caller.dag' } as const;

const some = (random: SeededRandom, names: readonly string[], share: number): string[] =>
  names.filter(() => random.chance(share));

function someRules(random: SeededRandom, design: Design): Rules {
  const fields = design.fields.map(({ name }) => name);
  const events = design.events.map(({ uniqueName }) => uniqueName);
  const isLongitudinal = events.length > 0;
  const own = {
    field: 'email',
    ...(isLongitudinal && {
      event: random.pick<string | string[] | undefined>(['base_arm_1', events, undefined]),
    }),
    equals: '$session.email' as const,
  };
  const where = conditionOf(random, design);
  const records = random.pick<Rules['records']>(['all', 'all', GROUP, GROUP, { own }, { where }, 'none']);
  const access = (): 'read' | 'write' | 'none' => random.pick(['read', 'read', 'write', 'write', 'none']);
  const forms = Object.fromEntries(design.instruments.map(({ name }) => [name, access()]));
  if (Object.values(forms).every((each) => each === 'none')) forms['vitals'] = 'read';
  const hide = some(random, fields.slice(1), random.pick([0, 0.2, 0.5]));
  const read = some(random, fields.slice(1), random.pick([0, 0, 0.15]));
  const ofOneArm = events.filter((event) => event.endsWith('arm_1'));
  // REDCap takes the first event where none is named.
  const chosen = random.pick([ofOneArm, events.slice(1), some(random, events, random.pick([0.7, 0.3]))]);
  const create = random.pick<NonNullable<Rules['create']>>([false, false, 'auto', { prefix: 'OWN-' }]);
  return {
    records,
    forms,
    ...(chosen.length > 0 && random.chance(0.8) && { events: chosen }),
    ...((hide.length > 0 || read.length > 0) && {
      fields: { ...(hide.length > 0 && { hide }), ...(read.length > 0 && { read }) },
    }),
    ...((records === 'all' || records === GROUP) && { create }),
    files: random.pick(['none', 'read', 'write', 'write']),
    log: random.pick(['none', 'read']),
  };
}

const KEEP = { keep: 3 } as const;

/** Nobody changes what is shown with other values, and there are no files, reports and log. */
function deidentifying(random: SeededRandom, design: Design, person: Case['person']): Case {
  const { records, forms, fields, events } = someRules(random, design);
  const preset = random.pick([
    'none',
    'remove-identifiers',
    'limited',
    'limited',
    'safe-harbor',
    'safe-harbor',
  ] as const);
  const isStrict = preset === 'safe-harbor';
  const one = <T>(...values: readonly T[]): T | undefined => random.pick([undefined, ...values]);
  const numbers = design.fields.filter(({ name }) => name === 'height').map(({ name }) => name);
  const age = one({ top: 90 }, { top: 65, fields: numbers });
  const transform = {
    record_id: one(...(isStrict ? ['random' as const] : ['pseudonym' as const, 'random' as const])),
    dates: one(...(isStrict ? ['year' as const] : ['shift' as const, 'year' as const])),
    age: preset === 'none' ? (age ?? { top: 80 }) : age,
    zip: random.pick([undefined, KEEP, KEEP, KEEP]),
  };
  const rules: Rules = {
    records,
    events,
    fields,
    forms: Object.fromEntries(
      Object.entries(forms).map(([form, access]) => [form, access === 'none' ? access : 'read']),
    ),
    deidentify: preset,
    transform,
  };
  const doubtful = [...(Deidentified.of(design, rules)?.doubtful ?? [])];
  return {
    rules,
    accepted: new Set(design.fields.map(({ name }) => name)),
    identifying: some(random, doubtful, random.pick([0, 0, 0.5])),
    person,
  };
}

function conditionOf(random: SeededRandom, design: Design): string {
  const condition = random.pick([
    "[sex] = '1'",
    "[pain] > '50'",
    "[sites(1)] = '1'",
    "[vitals_complete] = '2'",
    "[slept] = '1'",
    "[consent] <> ''",
  ]);
  const isAtEvent = design.events.length > 0 && random.chance(0.5);
  return isAtEvent ? `[base_arm_1]${condition}` : condition;
}

/** Lists reports whose filter reads nothing that is hidden: whoever lists another accepts what it reads. */
function withReports(rules: Rules, random: SeededRandom, design: Design, accepted: readonly string[]): Rules {
  const study = { ...design, rows: [] };
  const person = { group: '', email: '' };
  const { fields } = smallerStudy(study, { rules, accepted: new Set(accepted), person });
  const reports = (design.reports ?? []).filter(({ filterLogic, isFilteredByRecord = false }) => {
    const [, read] = /\[(\w+)\]/.exec(filterLogic) ?? [];
    const isHidden = read !== undefined && !fields.has(read);
    // It selects by all rows of a record, also those that the view does not have.
    return !isHidden && !(isFilteredByRecord && rules.events !== undefined) && random.chance(0.7);
  });
  return reports.length === 0 ? rules : { ...rules, reports: reports.map(({ id }) => id) };
}

/** What REDCap's numbers mean. @see docs/protocol/redcap.md 10.3 (doc) */
const FORM_RIGHTS = { 0: 'none', 1: 'write', 2: 'read', 3: 'write', 129: 'read', 130: 'write' } as const;

function mirrored(random: SeededRandom, design: Design, email: string): Case {
  const rights = design.instruments.map(({ name }) => ({
    name,
    form: random.pick([0, 1, 2, 3, 129, 130] as const),
    exported: random.pick([0, 1, 1, 2, 3] as const),
  }));
  const [first] = rights;
  if (first !== undefined) Object.assign(first, { form: 2, exported: random.pick([1, 3]) });
  const isExported = (exported: number): boolean => exported === 1 || exported === 3;
  const hide = design.fields
    .slice(1)
    .filter(
      ({ isIdentifier, instrument }) =>
        isIdentifier && rights.some(({ name, exported }) => name === instrument && exported === 3),
    )
    .map(({ name }) => name);
  const group = random.pick(['', 'north']);
  const user: StudyUser = {
    username: 'mirrored',
    email,
    firstName: '',
    lastName: '',
    token: '',
    expiration: '',
    group,
    role: '',
    rights: rightsOf({}),
    formRights: {
      forms: Object.fromEntries(rights.map(({ name, form }) => [name, form])),
      formsExport: Object.fromEntries(rights.map(({ name, exported }) => [name, exported])),
    },
  };
  const rules: Rules = {
    records: group === '' ? 'all' : GROUP,
    forms: Object.fromEntries(
      rights.map(({ name, form, exported }) => [name, isExported(exported) ? FORM_RIGHTS[form] : 'none']),
    ),
    ...(hide.length > 0 && { fields: { hide } }),
  };
  return {
    rules,
    accepted: new Set(design.fields.map(({ name }) => name)),
    person: { group, email },
    mirrored: user,
  };
}
