import { ChangeEngine } from '../../src/sync/change-engine.js';
import type { Change, ChangeStore, EngineState, KnownRecord, Step } from '../../src/sync/change-store.js';
import type { RecordRow } from '../../src/gateways/redcap/crf-client.js';
import type { SqlCopy } from '../../src/sync/sql-copy.js';
import { verifyCopy } from '../../src/sync/verify-copy.js';
import { UpstreamForbiddenError } from '../../src/domain/errors/upstream-errors.js';
import { ModelRedcap } from './model.js';
import { OPERATIONS, TRACELESS } from './operations.js';

const MINUTE = 60_000;

/**
 * A store in memory, which keeps the rows and the changes as a target does; with a copy, it also gives each step to it and
 * reads from it.
 */
class MemoryStore implements ChangeStore {
  readonly rows = new Map<string, readonly RecordRow[]>();
  readonly feed: Change[] = [];
  #state: EngineState | undefined;
  readonly #known = new Map<string, KnownRecord>();

  constructor(
    private readonly crash: () => void,
    private readonly copy: ChangeStore | undefined,
  ) {}

  state(): Promise<EngineState | undefined> {
    return this.copy?.state() ?? Promise.resolve(this.#state);
  }

  known(records: readonly string[]): Promise<Map<string, KnownRecord>> {
    if (this.copy !== undefined) return this.copy.known(records);
    const found = records.flatMap((record) => {
      const known = this.#known.get(record);
      return known === undefined ? [] : [[record, known] as const];
    });
    return Promise.resolve(new Map(found));
  }

  async *all(): AsyncGenerator<{ record: string; group: string; swept: number }> {
    await Promise.resolve();
    if (this.copy === undefined) for (const [record, known] of this.#known) yield { record, ...known };
    else yield* this.copy.all();
  }

  async commit(step: Step): Promise<void> {
    await Promise.resolve();
    this.crash();
    const { records = [], deleted = [], state } = step;
    const renamed = new Set<string>();
    for (const { record, rows, hash, group, swept, changes } of records) {
      this.rows.set(record, rows);
      this.#known.set(record, { hash, group, swept });
      for (const change of changes) if ('from' in change) renamed.add(change.from);
      this.feed.push(...changes);
    }
    for (const record of deleted) {
      this.rows.delete(record);
      if (this.#known.delete(record) && !renamed.has(record)) this.feed.push({ type: 'deleted', record });
    }
    if (state !== undefined) this.#state = structuredClone(state);
    await this.copy?.commit(step);
    this.crash();
  }
}

/** Reads the feed now and then, forgets how far it was, and reads again what it may have read. */
class Reader {
  readonly ids = new Set<string>();
  readonly rows = new Map<string, readonly RecordRow[]>();
  #cursor = 0;

  read({ feed, rows }: MemoryStore, forgotten: number): void {
    this.#cursor = Math.max(0, this.#cursor - forgotten);
    for (const change of feed.slice(this.#cursor)) {
      const { record, type } = change;
      if ('from' in change) this.rows.delete(change.from);
      const now = rows.get(record);
      if (type === 'deleted' || now === undefined) this.rows.delete(record);
      else this.rows.set(record, now);
    }
    this.#cursor = feed.length;
  }
}

class Crash extends Error {}

export interface HistoryOptions {
  /** The number of the point at which the engine crashes; none without it. */
  readonly crashAt?: number | undefined;
  readonly steps?: number | undefined;
  /** A copy to be kept besides, and to be compared cell by cell. */
  readonly copy?: SqlCopy | undefined;
}

export interface HistoryResult {
  /** Undefined if the copy and the reader hold what an export has. */
  readonly complaint: string | undefined;
  /** The points at which it can crash. */
  readonly points: number;
  readonly operations: readonly string[];
  readonly renamed: number;
}

/**
 * Plays one random history against the engine. Every other history is made of what the log or the list of ids shows: then
 * the first look after the overlap, with no sweep, is to deliver all of it. In the others it is the sweep. A history has
 * only some kinds of operation, so that no failure of the server hides for ever behind another one's sweep.
 */
export async function playHistory(
  seed: number,
  { crashAt, steps = 25, copy }: HistoryOptions = {},
): Promise<HistoryResult> {
  const random = randomOf(seed);
  const pick = (below: number): number => Math.floor(random() * below);
  // The server draws for itself, so that a crash does not change what people do.
  const redcap = new ModelRedcap(randomOf(seed + 1));
  const crashes = randomOf(seed + 2);
  const isTraced = seed % 2 === 0;
  redcap.leavesTrace = isTraced || pick(5) > 0;
  let points = 0;
  const crash = (): void => {
    points += 1;
    if (points === crashAt) throw new Crash();
  };
  const store = new MemoryStore(crash, copy);
  const reader = new Reader();
  const begin = (): ChangeEngine =>
    new ChangeEngine(crashing(redcap.source(), crash), store, { now: () => redcap.now, batch: 7 });
  let engine = begin();
  const operations: string[] = [];
  /** @returns the number of changes; undefined if the look failed */
  const look = async (sweep = false): Promise<number | undefined> => {
    try {
      // Somebody who sees that the user was put into a group does not confirm that the records have vanished.
      const { counts } = await engine.look({ allowMassDelete: redcap.userGroup === '', sweep });
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    } catch (error) {
      if (error instanceof Crash) engine = begin();
      else if (
        (error as { code?: string }).code !== 'copy_stopped' &&
        !(error instanceof UpstreamForbiddenError)
      )
        throw error;
      return undefined;
    } finally {
      redcap.forbidAfter = Infinity;
    }
  };

  /** Once everything that is late has arrived and every replica is up to date, one look is enough. */
  const rest = async (sweep: boolean): Promise<string | undefined> => {
    redcap.now += 13 * MINUTE;
    // The right that is taken fails one look, and a crash another; the next makes up for both.
    for (let failed = 0; failed < 3 && (await look(sweep)) === undefined;) failed += 1;
    reader.read(store, 3);
    return complaintAbout(redcap, store, reader);
  };

  const share = [0.05, 0.1, 0.25, 0.5][pick(4)] ?? 1;
  const names = Object.keys(OPERATIONS).filter(
    (name) => BASIC.includes(name) || ((!isTraced || !TRACELESS.has(name)) && random() < share),
  );
  let complaint: string | undefined;
  for (let at = 0; at < steps && complaint === undefined; at++) {
    for (let count = pick(4); count >= 0; count--) {
      const some = pick(2) === 0 ? BASIC : names;
      const name = some[pick(some.length)] ?? 'create';
      operations.push(name);
      OPERATIONS[name]?.(redcap, pick);
      redcap.now += [0, 0, 10_000, MINUTE][pick(4)] ?? 0;
    }
    const what = pick(4);
    if (what < 2) {
      operations.push('look');
      await look();
      if (crashes() < 0.5) reader.read(store, Math.floor(crashes() * 5));
    } else if (what === 2 && isTraced && redcap.hasRights) {
      operations.push('rest');
      complaint = await rest(false);
    }
    redcap.now += [1000, MINUTE, 5 * MINUTE, 20 * MINUTE, isTraced ? MINUTE : 9 * 60 * MINUTE][pick(5)] ?? 0;
  }
  redcap.giveRightsBack();
  complaint ??= await rest(!isTraced);
  redcap.now += 11 * MINUTE;
  if (complaint === undefined && ((await look()) ?? (await look())) !== 0)
    complaint = 'a second look finds something';
  const [difference] = copy === undefined ? [] : await verifyCopy(redcap.source(), copy, 'id');
  if (difference !== undefined) complaint ??= `the tables differ: ${JSON.stringify(difference)}`;
  const renamed = store.feed.filter(({ type }) => type === 'renamed').length;
  return { complaint, points, operations, renamed };
}

const BASIC = ['create', 'change', 'change an event', 'write an instance'];

function complaintAbout(redcap: ModelRedcap, store: MemoryStore, reader: Reader): string | undefined {
  const truth = byRecord(redcap.export());
  const copy = byRecord([...store.rows.values()].flat());
  if (JSON.stringify(copy) !== JSON.stringify(truth)) return 'the copy differs from the export';
  // A field that was added or removed is no change of a record as long as it is empty.
  const read = byRecord([...reader.rows.values()].flat()).map(filled);
  return JSON.stringify(read) === JSON.stringify(truth.map(filled))
    ? undefined
    : 'the reader of the changes holds something else';
}

function filled(row: RecordRow): readonly (readonly [string, string | number])[] {
  return Object.entries(row).filter(([, value]) => value !== '');
}

function byRecord(rows: readonly RecordRow[]): RecordRow[] {
  return rows.toSorted((left, right) =>
    `${left['id']}` < `${right['id']}` ? -1 : `${left['id']}` > `${right['id']}` ? 1 : 0,
  );
}

/** Lets every call of a source be a point at which the engine can crash. */
function crashing<Source extends object>(source: Source, crash: () => void): Source {
  return new Proxy(source, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value === 'object' && value !== null) return crashing(value, crash);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        crash();
        const answer = (value as (...given: unknown[]) => unknown).apply(target, args);
        const isStream = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
        return isStream ? crashingAtTheEnd(answer as AsyncIterable<unknown>, crash) : answer;
      };
    },
  });
}

async function* crashingAtTheEnd<T>(rows: AsyncIterable<T>, crash: () => void): AsyncGenerator<T> {
  yield* rows;
  crash();
}

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
