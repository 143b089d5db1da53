import { mock } from 'node:test';
import { SeededRandom } from '../../src/sandbox/demo-study/random.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { DESIGNS, type Design } from './designs.js';
import { addressOf, MadeUp, madeUpTexts, visibleFirst, type Case } from './made-up.js';
import { requestsFor } from './requests.js';
import type { Leak } from './leak.js';
import { openRoom, type Answer } from './room.js';
import { untouchable, writesFor } from './writes.js';
import { smallerStudy, type Rules } from './smaller-study.js';

export interface Finding {
  readonly proof: 'equivalence' | 'non-interference' | 'writes' | 'upstream' | 'sentinels';
  readonly request: string;
  readonly told: string;
}

export interface Played {
  readonly compared: number;
  /** How many of the answers had more to show than a refusal. */
  readonly shown: number;
  readonly findings: readonly Finding[];
  readonly what: string;
}

const KINDS = ['classic', 'repeating', 'longitudinal'] as const;

export interface Play {
  readonly seed: number;
  /** The share of the requests that is sent; all by default. */
  readonly share?: number | undefined;
  /** What to do wrong. */
  readonly leak?: Leak | undefined;
  /** Whether to stop at the first finding. */
  readonly isBrief?: boolean | undefined;
}

/**
 * Makes two projects up that differ in hidden things alone.
 *
 * @throws {Error} they differ in something visible, by a mistake of this code
 */
export function pairOf(seed: number) {
  const random = new SeededRandom(seed);
  const kind = KINDS[seed % KINDS.length] ?? 'classic';
  const design = DESIGNS[kind];
  const who = caseOf(random, design);
  const word = `s${seed}`;
  const madeUp = new MadeUp(random, word);
  const drawn = madeUp.study(design, random.integer(4, 8));
  const left = smallerStudy(drawn, who.rules, who.accepted, who.person);
  const study = { ...drawn, files: visibleFirst(drawn.files ?? [], left) };
  const twin = madeUp.twinOf(study, who, left);
  return { random, kind, who, word, madeUp, study, left, twin };
}

/** Plays one pair of projects that differ in hidden things alone, and the smaller project that is left of both. */
export async function playCase({ seed, share = 1, leak, isBrief = false }: Play): Promise<Played> {
  const { random, kind, who, word, madeUp, study, left, twin } = pairOf(seed);
  const isHidden = notIn(madeUpTexts(left.study, word), study, twin, word);

  const [restrictedRoom, otherRoom] = await Promise.all([
    openRoom(study, who, leak),
    openRoom(twin, who, leak),
  ]);
  const smallerRoom = await openRoom(left.study, undefined, undefined, restrictedRoom.cursorKey);
  // The moment of an answer is part of some.
  mock.timers.enable({ apis: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
  const findings: Finding[] = [];
  let [compared, shown] = [0, 0];
  const untouched = async (): Promise<string> => {
    const rows = await restrictedRoom.whole.exportRecords({ exportDataAccessGroups: true });
    return untouchable(rows, study, left, who.rules).join('\n');
  };
  try {
    for (const request of requestsFor(study, left, who.rules)) {
      if (isBrief && findings.length > 0) break;
      if (!random.chance(share) || leak?.at?.test(request.path) === false) continue;
      const name = `${request.method ?? 'GET'} ${request.path}`;
      const isComparable = request.isNeverGranted !== true && request.unlike === undefined;
      const [smaller, restricted, other] = await Promise.all([
        isComparable ? smallerRoom.send(request) : undefined,
        restrictedRoom.send(request),
        otherRoom.send(request),
      ]);
      compared += 1;
      if (restricted.status < 300) shown += 1;
      const tell = (proof: Finding['proof'], told: string | undefined): void => {
        if (told !== undefined) findings.push({ proof, request: name, told });
      };
      if (smaller !== undefined && !isNotGranted(restricted))
        tell('equivalence', difference(smaller, restricted));
      if (request.isNeverGranted === true && restricted.status < 400)
        tell('equivalence', `${restricted.status} in place of a refusal`);
      tell('non-interference', difference(other, restricted));
      tell('sentinels', isHidden(textOf(restricted)) ?? isHidden(textOf(other)));
    }
    for (const { request, isGranted } of writesFor(study, left, who, madeUp, random)) {
      if (isBrief && findings.length > 0) break;
      if (!random.chance(share) || leak?.at?.test(request.path) === false) continue;
      const name = `import of ${request.body ?? ''}`;
      const before = await untouched();
      const [expected, restricted, other] = [
        isGranted ? await smallerRoom.send(request) : undefined,
        await restrictedRoom.send(request),
        await otherRoom.send(request),
      ];
      compared += 1;
      const tell = (proof: Finding['proof'], told: string | undefined): void => {
        if (told !== undefined) findings.push({ proof, request: name, told });
      };
      if (expected !== undefined) tell('writes', difference(expected, restricted));
      if (!isGranted && restricted.status < 400) tell('writes', `${restricted.status} in place of a refusal`);
      tell('non-interference', difference(other, restricted));
      tell('sentinels', isHidden(textOf(restricted)) ?? isHidden(textOf(other)));
      tell(
        'writes',
        (await untouched()) === before ? undefined : 'something changed that may not be changed',
      );
      // A formula that reads what is hidden is none in the smaller project.
      const isCalculated = left.study.fields.some(
        ({ name: field, type }) =>
          type !== 'calc' && study.fields.some((each) => each.name === field && each.type === 'calc'),
      );
      const all = { path: '/api/v1/records?format=csv' };
      if (!isCalculated)
        tell('writes', difference(await smallerRoom.send(all), await restrictedRoom.send(all)));
    }
    const decides = typeof who.rules.records === 'object' && 'own' in who.rules.records;
    const visible = new Set([...left.fields, ...[...left.forms].map((form) => `${form}_complete`)]);
    for (const name of decides ? [] : restrictedRoom.asked)
      if (!visible.has(name))
        findings.push({ proof: 'upstream', request: 'an export', told: `REDCap was asked for ${name}` });
    for (const line of [...(await restrictedRoom.written()), ...(await otherRoom.written())]) {
      const found = isHidden(line);
      if (found !== undefined)
        findings.push({ proof: 'sentinels', request: 'a log line', told: `${found}: ${line}` });
    }
  } finally {
    mock.timers.reset();
    await Promise.all([smallerRoom, restrictedRoom, otherRoom].map((room) => room.close()));
  }
  return { compared, shown, findings, what: `${kind} ${JSON.stringify(who.rules)}` };
}

/** What a policy does not grant is refused in words that are always the same. */
function isNotGranted({ status, body }: Answer): boolean {
  return (
    (status === 403 && body.includes('"code":"not_in_policy"')) ||
    (status === 400 && /cannot be (used|eav|evaluated) under (this|a) policy/.test(body))
  );
}

function caseOf(random: SeededRandom, design: Design): Case {
  const fields = design.fields.map(({ name }) => name);
  const forms = design.instruments.map(({ name }) => name);
  const events = design.events.map(({ uniqueName }) => uniqueName);
  const isLongitudinal = events.length > 0;
  const own = { field: 'email', ...(isLongitudinal && { event: 'base_arm_1' }), equals: '$session.email' };
  const records = random.pick<Rules['records']>([
    'all',
    'all',
    { group: '$caller.group' },
    { group: '$caller.group' },
    { own },
    'none',
  ]);
  const some = (names: readonly string[], share: number): string[] =>
    names.filter(() => random.chance(share));
  const granted = Object.fromEntries(
    forms.map((form) => [form, random.pick(['read', 'read', 'write', 'none'] as const)]),
  );
  if (Object.values(granted).every((access) => access === 'none')) granted['vitals'] = 'read';
  const hide = some(fields.slice(1), random.pick([0, 0.2, 0.5]));
  const read = some(fields.slice(1), random.pick([0, 0, 0.15]));
  const ofOneArm = events.filter((event) => event.endsWith('arm_1'));
  const chosen = random.chance(0.3) ? ofOneArm : some(events, 0.7);
  return {
    rules: {
      records,
      forms: granted,
      ...(isLongitudinal && chosen.length > 1 && random.chance(0.6) && { events: chosen }),
      ...((hide.length > 0 || read.length > 0) && {
        fields: { ...(hide.length > 0 && { hide }), ...(read.length > 0 && { read }) },
      }),
      ...(records === 'none' || (typeof records === 'object' && 'own' in records)
        ? {}
        : {
            create: random.pick<NonNullable<Rules['create']>>([false, false, 'auto', { prefix: 'OWN-' }]),
          }),
      files: random.pick(['none', 'read']),
      logs: random.pick(['none', 'read']),
    },
    accepted: new Set(some(fields, random.pick([1, 1, 0.9]))),
    person: { group: 'north', email: addressOf(random.pick(['R-101', 'R-102', 'NORTH-103', 'R-900'])) },
  };
}

function difference(one: Answer, other: Answer): string | undefined {
  const [a, b] = [textOf(one), textOf(other)];
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const near = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 120));
  return `${near(a)} is ${near(b)}`;
}

function textOf({ status, headers, body }: Answer): string {
  return `${status}\n${body}\n${JSON.stringify(headers)}`;
}

/** Finds texts that are hidden, also in the forms into which encodings turn them. */
function notIn(
  visible: ReadonlySet<string>,
  study: Study,
  twin: Study,
  word: string,
): (text: string) => string | undefined {
  const hidden = new Set(
    [...madeUpTexts(study, word), ...madeUpTexts(twin, word)].filter((text) => !visible.has(text)),
  );
  const inBase64 = Buffer.from(word).toString('base64').slice(0, -2);
  const inHex = Buffer.from(word).toString('hex');
  const pattern = new RegExp(`${word}q\\d+z`, 'g');
  return (text) => {
    const plain = decodeURIComponentSafely(text);
    const found = plain.match(pattern)?.find((each) => hidden.has(each));
    if (found !== undefined) return found;
    for (const encoded of [...hidden].flatMap((each) =>
      text.includes(inBase64) || text.includes(inHex)
        ? [Buffer.from(each).toString('base64').replace(/=+$/, ''), Buffer.from(each).toString('hex')]
        : [],
    ))
      if (text.includes(encoded)) return encoded;
    return undefined;
  };
}

function decodeURIComponentSafely(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
}
