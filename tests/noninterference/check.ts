import { mock } from 'node:test';
import { SeededRandom } from '../../src/sandbox/demo-study/random.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { DESIGNS } from './designs.js';
import { MadeUp, madeUpTexts, visibleFirst } from './made-up.js';
import { madeUpCase } from './made-up-policy.js';
import { requestsFor } from './requests.js';
import type { Leak } from './leak.js';
import { openRoom, type Answer } from './room.js';
import { untouchable, writesFor } from './writes.js';
import { decidingOf, smallerStudy } from './smaller-study.js';

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
  const who = madeUpCase(random, design);
  const word = `s${seed}`;
  const madeUp = new MadeUp(random, word);
  const made = madeUp.study(design, random.integer(4, 8));
  const drawn = who.mirrored ? { ...made, users: [...made.users, who.mirrored] } : made;
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
  /** @param isOfRecord whether all of a visible record may change */
  const untouched = async (isOfRecord: boolean): Promise<string> => {
    const rows = await restrictedRoom.whole.exportRecords({ exportDataAccessGroups: true });
    return untouchable(rows, study, left, who.rules, isOfRecord).join('\n');
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
    for (const { request, isGranted, isAlike = isGranted, isOfRecord = false } of writesFor(
      study,
      left,
      who,
      madeUp,
      random,
    )) {
      if (isBrief && findings.length > 0) break;
      if (!random.chance(share) || leak?.at?.test(request.path) === false) continue;
      const name = `${request.method} ${request.path} of ${request.body ?? ''}`;
      const before = await untouched(isOfRecord);
      const [expected, restricted, other] = [
        isAlike ? await smallerRoom.send(request) : undefined,
        await restrictedRoom.send(request),
        await otherRoom.send(request),
      ];
      compared += 1;
      const tell = (proof: Finding['proof'], told: string | undefined): void => {
        if (told !== undefined) findings.push({ proof, request: name, told });
      };
      if (expected !== undefined && (isGranted || !isNotGranted(restricted)))
        tell('writes', difference(expected, restricted));
      if (!isGranted && restricted.status < 400) tell('writes', `${restricted.status} in place of a refusal`);
      tell('non-interference', difference(other, restricted));
      tell('sentinels', isHidden(textOf(restricted)) ?? isHidden(textOf(other)));
      const isSame = (await untouched(isOfRecord)) === before;
      tell('writes', isSame ? undefined : 'something changed that may not be changed');
      // A formula that reads what is hidden is none in the smaller project.
      const isCalculated = left.study.fields.some(
        ({ name: field, type }) =>
          type !== 'calc' && study.fields.some((each) => each.name === field && each.type === 'calc'),
      );
      const all = { path: '/api/v1/records?format=csv' };
      if (!isCalculated)
        tell('writes', difference(await smallerRoom.send(all), await restrictedRoom.send(all)));
    }
    const statuses = [...left.forms].map((form) => `${form}_complete`);
    const visible = new Set([...left.fields, ...statuses, decidingOf(who.rules)]);
    for (const name of restrictedRoom.asked)
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
