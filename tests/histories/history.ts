import { ChangeEngine } from '../../src/changes/change-engine.js';
import type { Change, ChangeStore, EngineState, KnownRecord, Step } from '../../src/changes/change-store.js';
import type { RecordRow } from '../../src/gateways/redcap/crf-client.js';
import { ModelRedcap } from './model.js';
import { OPERATIONS } from './operations.js';

const MINUTE = 60_000;

/** A store in memory, which keeps the rows and the changes as a target does. */
class MemoryStore implements ChangeStore {
  readonly rows = new Map<string, readonly RecordRow[]>();
  readonly feed: Change[] = [];
  #state: EngineState | undefined;
  readonly #known = new Map<string, KnownRecord>();

  constructor(private readonly crash: () => void) {}

  state(): EngineState | undefined {
    return this.#state;
  }

  known(): Map<string, KnownRecord> {
    return new Map(this.#known);
  }

  async commit({ records = [], deleted = [], state }: Step): Promise<void> {
    await Promise.resolve();
    this.crash();
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
    this.crash();
  }
}

/** What leaves no entry that names a record, and is found by the next sweep. */
const TRACELESS: ReadonlySet<string> = new Set([
  'delete without log',
  'delete the data of an event',
  'change the dictionary unseen',
  'change unseen',
  'set the clock wrong',
  'lose or get the right to the log',
]);

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

export interface HistoryResult {
  /** Undefined if the copy and the reader hold what an export has. */
  readonly complaint: string | undefined;
  /** The points at which it can crash. */
  readonly points: number;
  readonly operations: readonly string[];
  readonly renamed: number;
}

/**
 * Plays one random history against the engine, which crashes at a point of it, and begins again.
 *
 * @param crashAt the number of the point; Infinity for none
 */
export async function playHistory(seed: number, crashAt = Infinity, steps = 25): Promise<HistoryResult> {
  const random = randomOf(seed);
  const pick = (below: number): number => Math.floor(random() * below);
  // The server draws for itself, so that a crash does not change what people do.
  const redcap = new ModelRedcap(randomOf(seed + 1));
  const crashes = randomOf(seed + 2);
  redcap.leavesTrace = pick(5) > 0;
  let points = 0;
  const crash = (): void => {
    points += 1;
    if (points === crashAt) throw new Crash();
  };
  const store = new MemoryStore(crash);
  const reader = new Reader();
  // Every other history has only what the log or the list of ids shows, and is to be delivered without a sweep.
  const isTraced = seed % 2 === 0;
  if (isTraced) redcap.leavesTrace = true;
  const begin = (): ChangeEngine =>
    new ChangeEngine(crashing(redcap.source(), crash), store, () => redcap.now);
  let engine = begin();
  const operations: string[] = [];
  const look = async (sweep = false): Promise<number> => {
    try {
      return (await engine.look({ allowMassDelete: true, sweep })).pending;
    } catch (error) {
      if (!(error instanceof Crash) && (error as { code?: string }).code !== 'copy_stopped') throw error;
      engine = begin();
      return 1;
    }
  };

  const names = Object.keys(OPERATIONS).filter((name) => !isTraced || !TRACELESS.has(name));
  for (let at = 0; at < steps; at++) {
    for (let count = pick(4); count >= 0; count--) {
      const name = pick(2) === 0 ? (names[pick(6)] ?? 'create') : (names[pick(names.length)] ?? 'create');
      operations.push(name);
      OPERATIONS[name]?.(redcap, pick);
      redcap.now += [0, 0, 10_000, MINUTE][pick(4)] ?? 0;
    }
    if (pick(3) > 0) {
      operations.push('look');
      await look();
      if (crashes() < 0.5) reader.read(store, Math.floor(crashes() * 5));
    }
    redcap.now += [1000, MINUTE, 5 * MINUTE, 20 * MINUTE, isTraced ? MINUTE : 9 * 60 * MINUTE][pick(5)] ?? 0;
  }
  redcap.now += 30 * MINUTE;
  for (let at = 0; at < 4; at++) {
    await look(!isTraced && at === 2);
    redcap.now += 11 * MINUTE;
  }
  reader.read(store, 3);
  const renamed = store.feed.filter(({ type }) => type === 'renamed').length;
  return { complaint: complaintAbout(redcap, store, reader), points, operations, renamed };
}

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
        return (value as (...given: unknown[]) => unknown).apply(target, args);
      };
    },
  });
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
