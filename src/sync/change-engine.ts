import { randomBytes } from 'node:crypto';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { NotInPolicyError } from '../domain/errors/access-errors.js';
import { CopyStoppedError } from '../domain/errors/caller-errors.js';
import { UpstreamForbiddenError } from '../domain/errors/upstream-errors.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import { loadProjectStructure, type StructureSource } from '../records/load-project-structure.js';
import { recordsOf } from '../records/rules/records-of.js';
import type { Change, ChangeStore, EngineState, FreshRecord, ProjectLists } from './change-store.js';
import { compare, listRecords, renamesIn } from './listing.js';
import { EMPTY_LOG, OVERLAP_MS, readLog, windowStart, type LogReading } from './log-window.js';
import { changesOf, digestOf, hashOf, refuseOtherColumns } from './record-content.js';

/** The operations of a client that the engine reads with. */
export interface ChangeSource extends StructureSource, Pick<CrfClient, 'streamRecords' | 'clearCache'> {
  readonly arms: Pick<CrfClient['arms'], 'list'>;
  readonly dags: Pick<CrfClient['dags'], 'list'>;
  readonly instruments: Pick<CrfClient['instruments'], 'list'>;
  readonly log: Pick<CrfClient['log'], 'stream'>;
}

interface Design {
  readonly structure: ProjectStructure;
  readonly lists: ProjectLists;
}

export interface LookOptions {
  /** Reads every record, whatever the log says. */
  readonly sweep?: boolean | undefined;
  /** Goes on if most records have vanished. */
  readonly allowMassDelete?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((records: number, total: number) => void) | undefined;
}

/** What one look found. */
export interface Look {
  /** How many changes were found of each type. */
  readonly counts: Readonly<Record<Change['type'], number>>;
  /** Whether every record was read. */
  readonly isSweep: boolean;
  /** Records that will be read once more, because REDCap may have answered an older state of them. */
  readonly pending: number;
  /** What limits the look, as sentences: a missing right, or a log that cannot be relied on. */
  readonly notes: readonly string[];
  readonly records: number;
}

const HOUR = 3_600_000;
/** How often everything is read, for changes that leave no trace. */
const SWEEP_MS = 23 * HOUR;
/** The same if the log cannot be read, or does not show that it was. */
const BLIND_SWEEP_MS = HOUR;
const BATCH = 500;

export interface EngineOptions {
  readonly now?: (() => number) | undefined;
  /** How many records are read, and committed, at a time. */
  readonly batch?: number | undefined;
}

/**
 * Finds out what changed in a project. The log is a hint; the list of ids is the truth of existence; keyed hashes of the
 * content are the truth of values; the sweep, which reads every record, is the truth of everything.
 *
 * Every record's last state, every deletion and every rename is delivered at least once. States in between may merge, and
 * no order between records is promised. What the log or the list of ids shows arrives with the next look, or the one
 * after the overlap; what leaves no trace, with the next sweep. A look that fails or is killed at any point is made up
 * for by the next.
 */
export class ChangeEngine {
  #design: Design | undefined;
  /** Whether the design was read in this look. */
  #isFresh = false;
  readonly #now: () => number;
  readonly #batch: number;

  constructor(
    private readonly source: ChangeSource,
    private readonly store: ChangeStore,
    { now = Date.now, batch = BATCH }: EngineOptions = {},
  ) {
    this.#now = now;
    this.#batch = batch;
  }

  /**
   * Looks once, and commits what it finds.
   *
   * @throws {CopyStoppedError} more than a fifth of the records, and more than ten, have vanished; fields that are in the
   *   data dictionary are missing from the export; or the store holds another project
   * @throws {CrfError} errors of the client's operations
   */
  async look(options: LookOptions = {}): Promise<Look> {
    try {
      return await this.#look(options);
    } catch (error) {
      // The design may be an old one: it is read again.
      const wasFresh = this.#isFresh;
      this.#design = undefined;
      if (wasFresh || !(error instanceof CopyStoppedError)) throw error;
      return await this.look(options);
    } finally {
      this.#isFresh = false;
    }
  }

  async #look(options: LookOptions): Promise<Look> {
    const { signal } = options;
    const nowMs = this.#now();
    let state = (await this.store.state()) ?? (await this.#firstState(signal));
    let design = this.#design ?? (await this.#loadDesign(state, signal));
    const { reading, notes } = await this.#readLog(state, design.structure, nowMs, signal);
    // The design that was read before the log may be older than the entry.
    if (reading?.isRedesigned === true) design = await this.#loadDesign(state, signal);
    this.#design = design;
    const { structure, lists } = design;
    const digest = digestOf(structure, lists);

    const isBlind = reading === undefined || !reading.state.leavesTrace;
    const isDue = nowMs - state.sweptAt >= (isBlind ? BLIND_SWEEP_MS : SWEEP_MS);
    const isRedesigned = digest !== state.structure;
    // What these find may have changed a moment ago, without an entry that makes its record a candidate.
    const isRecent = isRedesigned || reading?.hasGap === true;
    const isAgain = state.againAt > 0 && nowMs >= state.againAt;
    const begins = isRecent || isAgain || isDue || options.sweep === true;
    if (begins) {
      const againAt = isRecent ? nowMs + OVERLAP_MS : isAgain ? 0 : state.againAt;
      const sweep = state.sweep + 1;
      state = { ...state, structure: digest, sweep, isSweeping: true, sweptAt: nowMs, againAt };
    }

    const listing = await listRecords(this.source, structure, state.key, signal);
    const renames = await renamesIn(reading, listing, this.store);
    const { known, vanished, wanted, isEqual } = await compare(listing, this.store, state, reading);
    const renamed = new Set(renames.values());
    const gone = vanished.filter((id) => !renamed.has(id)).length;
    if (!options.allowMassDelete && gone > 10 && gone > known / 5)
      throw new CopyStoppedError(
        `${gone} of ${known} records have vanished. If they were deleted, run this again with --allow-mass-delete; otherwise check the rights and the data access group of the token's user.`,
      );
    if (begins) await this.store.commit({ structure, redesigned: isRedesigned ? lists : undefined, state });

    const counts = { created: 0, changed: 0, regrouped: 0, renamed: 0, deleted: 0 };
    // New names first, while their old ones are known.
    const order = [...renames.keys(), ...wanted.filter((id) => !renames.has(id))];
    const [missed, moved] = [new Set<string>(), new Set<string>()];
    let isListed = isEqual;
    for (let at = 0; at < order.length; at += this.#batch) {
      const ids = order.slice(at, at + this.#batch);
      const records = await this.#read(ids, { state, structure, renames, signal });
      const read = new Set(records.map(({ record }) => record));
      for (const id of ids) if (!read.has(id)) missed.add(id);
      const changes = records.flatMap((record) => record.changes);
      const from = changes.flatMap((change) => ('from' in change ? [change.from] : []));
      isListed &&= changes.every(({ type }) => type === 'changed');
      // Forgotten with the first change of what exists: a crash must not leave the digest of an older list.
      const isStale = !isListed && state.listed !== '';
      if (isStale) state = { ...state, listed: '' };
      await this.store.commit({ structure, records, deleted: from, ...(isStale && { state }) });
      for (const id of from) moved.add(id);
      for (const { type } of changes) counts[type] += 1;
      options.onProgress?.(Math.min(at + this.#batch, order.length), order.length);
    }

    const deleted = vanished.filter((id) => !moved.has(id));
    counts.deleted = deleted.length;
    const log = settle(reading?.state ?? state.log, nowMs);
    // What was listed and not exported is gone, or not yet there: the next look will tell.
    for (const id of missed) log.candidates[id] = nowMs;
    const isSweeping = state.isSweeping && missed.size > 0;
    // Only what was found to be equal, and has stayed so, does not have to be compared again.
    const listed = isListed ? listing.digest : '';
    await this.store.commit({ structure, deleted, state: { ...state, listed, log, isSweeping } });
    const records = known + counts.created - deleted.length;
    return {
      counts,
      isSweep: state.isSweeping,
      pending: Object.keys(log.candidates).length + (state.againAt > 0 ? records : 0),
      notes: lists.groups === undefined && listing.groups.some(Boolean) ? [...notes, NO_GROUPS] : notes,
      records,
    };
  }

  async #firstState(signal: AbortSignal | undefined): Promise<EngineState> {
    const { id } = await this.source.project.getInfo({ signal });
    const key = randomBytes(32).toString('hex');
    return {
      key,
      project: id,
      structure: '',
      listed: '',
      log: EMPTY_LOG,
      sweep: 0,
      isSweeping: false,
      sweptAt: 0,
      againAt: 0,
    };
  }

  async #loadDesign({ project }: EngineState, signal: AbortSignal | undefined): Promise<Design> {
    const { source } = this;
    source.clearCache();
    const structure = await loadProjectStructure(source, { signal });
    const [{ id }, arms, instruments, groups] = await Promise.all([
      source.project.getInfo({ signal }),
      structure.isLongitudinal ? source.arms.list({ signal }) : [],
      source.instruments.list({ signal }),
      source.dags.list({ signal }).catch((error: unknown) => {
        if (error instanceof UpstreamForbiddenError) return undefined;
        throw error;
      }),
    ]);
    this.#isFresh = true;
    if (id === project) return { structure, lists: { arms, instruments, groups } };
    throw new CopyStoppedError('This is a copy of another project. Choose another file.');
  }

  async #readLog(
    { log, key }: EngineState,
    structure: ProjectStructure,
    nowMs: number,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly reading: LogReading | undefined; readonly notes: readonly string[] }> {
    const idField = structure.dictionary.recordIdField?.name ?? '';
    try {
      const entries = this.source.log.stream({ from: windowStart(log, nowMs), signal });
      const reading = await readLog(entries, log, { key, idField, nowMs });
      const isBlind = !reading.state.leavesTrace && log.awaited.length > 0;
      return { reading, notes: isBlind ? [NO_TRACE] : [] };
    } catch (error) {
      if (error instanceof NotInPolicyError) return { reading: undefined, notes: [NO_LOG_IN_VIEW] };
      if (!(error instanceof UpstreamForbiddenError)) throw error;
      return { reading: undefined, notes: [NO_LOG] };
    }
  }

  async #read(
    ids: readonly string[],
    {
      state,
      structure,
      renames,
      signal,
    }: {
      readonly state: EngineState;
      readonly structure: ProjectStructure;
      readonly renames: ReadonlyMap<string, string>;
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<FreshRecord[]> {
    const known = await this.store.known(ids.flatMap((id) => [id, renames.get(id) ?? id]));
    const idField = structure.dictionary.recordIdField?.name ?? '';
    const asked = new Set(ids);
    const fresh: FreshRecord[] = [];
    const exported = this.source.streamRecords({ records: ids, ...COPIED, signal });
    for await (const [record, rows] of recordsOf(exported, structure)) {
      const [first] = rows;
      if (first === undefined || !asked.has(record)) continue;
      refuseOtherColumns(first, structure, this.#isFresh);
      const hash = hashOf(state.key, idField, rows);
      const group = `${first['redcap_data_access_group'] ?? ''}`;
      const changes = changesOf(record, { hash, group }, known, renames);
      fresh.push({ record, rows, hash, group, swept: state.sweep, changes });
    }
    return fresh;
  }
}

/** How a copy reads records: a form that was never begun has no status. */
export const COPIED = { exportDataAccessGroups: true, exportBlankForGrayFormStatus: true } as const;

/** Forgets the candidates that were read after they had left the overlap. */
function settle(log: LogReading['state'], nowMs: number) {
  const kept = Object.entries(log.candidates).filter(([, since]) => nowMs - since < OVERLAP_MS);
  return { ...log, candidates: Object.fromEntries(kept) };
}

const NO_LOG =
  "The token's user may not read the log (Logging): changes are found by reading every record each hour.";
const NO_GROUPS =
  "The token's user may not read the data access groups (Data Access Groups): the copy has their names without labels.";
const NO_LOG_IN_VIEW = 'The policy shows no log: changes are found by reading every record each hour.';
const NO_TRACE =
  'Reading the log leaves no entry in it, so that it cannot be seen to be complete: every record is read each hour.';
