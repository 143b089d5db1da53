import type { SeededRandom } from '../../src/sandbox/demo-study/made-up.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { decidingOf, NOW } from './chosen-records.js';
import { difference, isNotGranted, notIn, textOf } from './compare.js';
import type { Leak } from './leaks/leak.js';
import { MadeUp, madeUpTexts, type Case, type Design } from './made-up.js';
import type { Answer, Request } from './request.js';
import { namesOf, requestsFor } from './requests.js';
import { spread } from './operations.js';
import { openRoom, scheduleOf, type Room } from './room.js';
import { smallerStudy, type Smaller } from './smaller-study.js';
import { stopDate } from './stop-date.js';
import { twinOf, visibleFirst } from './twin.js';
import { variationsOf } from './varied.js';
import { untouchable, writesFor, type Write } from './writes.js';

/** The share of the variations of changes that is sent: each is followed by a look at everything. A leak is at few paths. */
const VARIED = 0.3;

/** Two projects that differ in hidden things alone, and the smaller project that is left of both. */
export interface Pair {
  readonly random: SeededRandom;
  readonly who: Case;
  /** The beginning of every text that was made up. */
  readonly word: string;
  readonly madeUp: MadeUp;
  readonly study: Study;
  readonly left: Smaller;
  readonly twin: Study;
  /**
   * Whether the smaller project answers alike. Where its first event repeats, a record without an instance has a blank row
   * in a view, and none in a project.
   */
  readonly isAlike: boolean;
  /** What the smaller project was found to answer. */
  readonly answers: Map<string, Answer>;
}

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
  /** How many of the requests were changes. */
  readonly changes: number;
  /** The requests that were compared: method and path. */
  readonly sent: readonly string[];
}

export interface Play {
  /** The share of the requests that is sent; all by default. */
  readonly share?: number | undefined;
  /** What to do wrong. */
  readonly leak?: Leak | undefined;
  /** Whether to stop at the first finding. */
  readonly isBrief?: boolean | undefined;
  /** Whether there is no time left for what is read, or for what is changed. */
  readonly isOver?: ((part: 'reads' | 'writes') => boolean) | undefined;
}

/**
 * Makes two projects up that differ in hidden things alone.
 *
 * @param owned the field with the address of whom a record is about; by default the one that the policy names
 * @throws {TwinError} they differ in something visible, by a mistake of this code
 */
export function pairOf(seed: number, design: Design, who: Case, random: SeededRandom, owned?: string): Pair {
  const word = `s${seed}`;
  const madeUp = new MadeUp(random, word, design, who, owned);
  const made = madeUp.study(random.integer(4, 8));
  const drawn = who.mirrored ? { ...made, users: [...made.users, who.mirrored] } : made;
  const left = smallerStudy(drawn, who);
  const study = { ...drawn, files: visibleFirst(drawn.files ?? [], left) };
  const twin = twinOf(study, who, left, madeUp, random);
  return {
    random,
    who,
    word,
    madeUp,
    study,
    left,
    twin,
    isAlike: !isFirstRepeating(left.study),
    answers: new Map(),
  };
}

function isFirstRepeating({ events, repeating }: Study): boolean {
  const [first] = events;
  return repeating.some(({ event, instrument }) => event === first?.uniqueName && instrument === '');
}

/** Sends the same requests to a pair of projects, and to the smaller project that is left of both. */
export async function playPair(pair: Pair, play: Play = {}): Promise<Played> {
  const { who, study, left, twin } = pair;
  const schedule = scheduleOf(study);
  const restricted = await openRoom(study, { who, leak: play.leak, schedule });
  const rooms: Rooms = {
    restricted,
    other: onDemand(() => openRoom(twin, { who, leak: play.leak, schedule })),
    smaller: onDemand(() => openRoom(left.study, { cursorKey: restricted.cursorKey, schedule })),
  };
  const goOn = stopDate(NOW);
  const session = new Session(pair, play, rooms);
  try {
    await session.read();
    await session.write();
    await session.look();
  } finally {
    goOn();
    await restricted.close();
    for (const { opened } of [rooms.other, rooms.smaller]) await (await opened())?.close();
  }
  return session;
}

/** A room that is opened when it is first needed, because most leaks are seen without it. */
interface RoomOnDemand {
  readonly get: () => Promise<Room>;
  /** Undefined if it was not needed. */
  readonly opened: () => Promise<Room> | undefined;
}

function onDemand(open: () => Promise<Room>): RoomOnDemand {
  let room: Promise<Room> | undefined;
  return { get: () => (room ??= open()), opened: () => room };
}

interface Rooms {
  readonly restricted: Room;
  readonly other: RoomOnDemand;
  readonly smaller: RoomOnDemand;
}

class Session implements Played {
  compared = 0;
  shown = 0;
  changes = 0;
  readonly findings: Finding[] = [];
  readonly sent: string[] = [];
  readonly #isHidden: ReturnType<typeof notIn>;

  constructor(
    private readonly pair: Pair,
    private readonly play: Play,
    private readonly rooms: Rooms,
  ) {
    const { left, word, study, twin } = pair;
    this.#isHidden = notIn(madeUpTexts(left.study, word), [study, twin], word);
  }

  async read(): Promise<void> {
    const { study, left, who } = this.pair;
    for (const { request, isFirst } of spread(requestsFor(study, left, who.rules))) {
      // However little time there is, each operation is tried once.
      if (this.#isDone || (!isFirst && this.play.isOver?.('reads') === true)) return;
      if (this.#isSent(request)) await this.#ask(request);
    }
  }

  async #ask(request: Request): Promise<void> {
    const { restricted, other } = this.rooms;
    const isComparable = this.pair.isAlike && request.isNeverGranted !== true && request.unlike === undefined;
    const [expected, answer] = await Promise.all([
      isComparable ? this.#smallerAnswer(request) : undefined,
      restricted.send(request),
    ]);
    const name = this.#note(request, answer);
    const isCompared = expected !== undefined && !isNotGranted(answer);
    const told = request.like?.told(answer) ?? answer;
    if (isCompared) this.#tell('equivalence', name, difference(expected, told));
    const isRefused = request.refusals?.includes(answer.status) ?? answer.status >= 400;
    if (request.isNeverGranted === true && !isRefused)
      this.#tell('equivalence', name, `${answer.status} in place of a refusal`);
    // What a smaller project answers too tells nothing: of a leak, the twin has to find the others.
    if (!isCompared || request.like !== undefined || this.play.isBrief !== true)
      this.#tellOfTwin(name, request, answer, await (await other.get()).send(request));
  }

  /** What the smaller project answers to a question. Its answer stays the same, whichever leak there is elsewhere. */
  async #smallerAnswer(request: Request): Promise<Answer> {
    const { answers } = this.pair;
    const { like } = request;
    const asked = like === undefined ? request : { ...request, path: like.path };
    const key = JSON.stringify(asked);
    const answer = answers.get(key) ?? (await (await this.rooms.smaller.get()).send(asked));
    answers.set(key, answer);
    return like?.expected(answer) ?? answer;
  }

  async write(): Promise<void> {
    const { study, left, who, madeUp, random } = this.pair;
    const writes = writesFor(study, left, who, madeUp, random);
    const granted = writes.filter(({ isGranted }) => isGranted).map(({ request }) => request);
    const isNext = ({ path }: Request): boolean =>
      who.rules.create === 'auto' && /forceAutoNumber=true/.test(path);
    const varied = variationsOf(granted, namesOf(study, left))
      // The next number tells how many records there are.
      .filter((request) => !isNext(request) && random.chance(this.play.leak === undefined ? VARIED : 1));
    for (const write of [...writes, ...varied.map((request) => ({ request, isGranted: undefined }))]) {
      if (this.#isDone || this.play.isOver?.('writes') === true) return;
      if (this.#isSent(write.request)) await this.#change(write);
    }
  }

  async #change({ request, isGranted, isAlike = isGranted, isOfRecord = false }: Write): Promise<void> {
    const { restricted } = this.rooms;
    const [other, smaller] = [await this.rooms.other.get(), await this.rooms.smaller.get()];
    const { isAlike: hasSmaller } = this.pair;
    const before = await this.#untouched(isOfRecord);
    const answer = await restricted.send(request);
    const isCompared = hasSmaller && (isAlike ?? !isNotGranted(answer));
    const expected = isCompared ? await smaller.send(request) : undefined;
    const twin = await other.send(request);
    this.changes += 1;
    const name = `${this.#note(request, answer)} of ${request.body ?? ''}`;
    if (expected !== undefined && (isGranted === true || !isNotGranted(answer)))
      this.#tell('writes', name, difference(expected, answer));
    if (isGranted === false && answer.status < 400)
      this.#tell('writes', name, `${answer.status} in place of a refusal`);
    this.#tellOfTwin(name, request, answer, twin);
    if ((await this.#untouched(isOfRecord)) !== before)
      this.#tell('writes', name, 'something changed that may not be changed');
    const all = { path: '/api/v1/records?format=csv' };
    if (hasSmaller && !isCalculatedFromHidden(this.pair))
      this.#tell('writes', name, difference(await smaller.send(all), await restricted.send(all)));
  }

  /** Looks for hidden names in what REDCap was asked for, and for hidden texts in what was logged. */
  async look(): Promise<void> {
    const { study, left, who } = this.pair;
    const { restricted, other } = this.rooms;
    const statuses = [...left.forms].map((form) => `${form}_complete`);
    const visible = new Set([...left.fields, ...statuses, ...decidingOf(study, who.rules)]);
    for (const name of restricted.asked)
      if (!visible.has(name)) this.#tell('upstream', 'an export', `REDCap was asked for ${name}`);
    if (new Set(restricted.drawn).size < restricted.drawn.length)
      this.#tell('non-interference', 'an export', 'ids that are to be random are those of another one');
    const lines = [await restricted.written(), (await (await other.opened())?.written()) ?? []];
    for (const line of lines.flat()) {
      const found = this.#isHidden(line);
      if (found !== undefined) this.#tell('sentinels', 'a log line', `${found}: ${line}`);
    }
  }

  get #isDone(): boolean {
    return this.play.isBrief === true && this.findings.length > 0;
  }

  #isSent({ path }: Request): boolean {
    return this.pair.random.chance(this.play.share ?? 1) && this.play.leak?.at?.test(path) !== false;
  }

  #note({ method = 'GET', path }: Request, answer: Answer): string {
    this.compared += 1;
    if (answer.status < 300) this.shown += 1;
    // It would be found for another reason than what it shows.
    if (answer.status === 500 && this.play.leak !== undefined)
      throw new Error(`The leak "${this.play.leak.name}" breaks ${method} ${path}.`);
    this.sent.push(`${method} ${path.split('?')[0] ?? ''}`);
    return `${method} ${path}`;
  }

  #tellOfTwin(name: string, { path, body = '' }: Request, answer: Answer, twin: Answer): void {
    const sent = path + body;
    this.#tell('non-interference', name, difference(twin, answer));
    this.#tell('sentinels', name, this.#isHidden(textOf(answer), sent) ?? this.#isHidden(textOf(twin), sent));
  }

  #tell(proof: Finding['proof'], request: string, told: string | undefined): void {
    if (told !== undefined) this.findings.push({ proof, request, told });
  }

  /** @param isOfRecord whether all of a visible record may change */
  async #untouched(isOfRecord: boolean): Promise<string> {
    const { study, left, who } = this.pair;
    const rows = await this.rooms.restricted.whole.exportRecords({ exportDataAccessGroups: true });
    return untouchable(rows, study, left, who.rules, isOfRecord).join('\n');
  }
}

/** Whether a field is calculated from what is hidden: its formula is none in the smaller project. */
export function isCalculatedFromHidden({ study, left }: Pick<Pair, 'study' | 'left'>): boolean {
  const calculated = new Set(study.fields.filter(({ type }) => type === 'calc').map(({ name }) => name));
  return left.study.fields.some(({ name, type }) => type !== 'calc' && calculated.has(name));
}
