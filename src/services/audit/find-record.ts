import { RECORD_PARAMETERS } from './call-details.js';
import type { AuditFileLines } from './verify-chain.js';

/** What is looked for: a record, what somebody did, or both. */
export interface RecordQuery {
  /** The pseudonyms that the record may have: one for each key that was in use; undefined for any record or none. */
  readonly pseudonyms: ReadonlySet<string> | undefined;
  /** Who may have made the call, as entries name them: `key:stats`; undefined for everybody. */
  readonly actors?: ReadonlySet<string> | undefined;
  /** What each policy shows of the records, as far as its file tells: nothing, some of them, or all. */
  readonly policies?: ReadonlyMap<string, PolicyReach> | undefined;
  /** The marks of these keys, as `service.started` has them. */
  readonly keyMarks: ReadonlySet<string>;
  /** The first and the last moment, inclusive. A call counts if any part of it lies between them. */
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

export type PolicyReach = 'none' | 'some' | 'all';

/**
 * How a call concerns the record: `named`: the log names it; `filter`, `project`: the call read by a filter, or the whole
 * project, and may have included it, if it existed then; `policy`: the same, if its policy showed the record.
 */
export type Concern = 'named' | 'filter' | 'project' | 'policy';

/** A call that read or changed the record, or may have. */
export interface FoundCall {
  readonly at: string;
  readonly actor: string | undefined;
  readonly network: string | undefined;
  readonly operation: string | undefined;
  readonly requestId: string | undefined;
  /** Undefined if no record was asked for. */
  readonly concern: Concern | undefined;
  /** The policy of the caller, if there was one. */
  readonly policy: string | undefined;
  /** What was asked for, and how much was read or changed: names and numbers. */
  readonly what: Readonly<Record<string, unknown>>;
  /** The pseudonyms of the records that the log names. */
  readonly records: readonly string[];
  /** Undefined if the process ended before the call did. */
  readonly outcome: string | undefined;
}

export interface RecordReport {
  /** By the time at which they began, also where several processes wrote the files. */
  readonly calls: readonly FoundCall[];
  /** Lines that are not entries of an audit log. `crf audit verify` tells why. */
  readonly unreadable: number;
  /** Calls in the period that name records with another key, and cannot be recognised. */
  readonly unrecognised: number;
}

/**
 * Finds the calls that concern a record, or those of one caller.
 *
 * @param files those of each process in the order in which they were written, oldest first. A call whose beginning is not in them is not found.
 */
export async function findRecord(files: Iterable<AuditFileLines>, query: RecordQuery): Promise<RecordReport> {
  const search = new RecordSearch(query);
  for (const { lines } of files) for await (const line of lines) if (line !== '') search.take(line);
  return search.report();
}

type Values = Readonly<Record<string, unknown>>;

/** A call whose end has not been read yet. */
interface OpenCall {
  readonly seq: number;
  readonly begun: Values;
  isNamed: boolean;
  readonly records: Set<string>;
  /** Whether the log names the records of the call, and not only some of them. */
  hasNames: boolean;
  isPartial: boolean;
  readonly isOtherKey: boolean;
}

class RecordSearch {
  readonly #found: { readonly seq: number; readonly call: FoundCall }[] = [];
  /** By request id. A client may choose an id that another call has at the same time. */
  readonly #open = new Map<string, OpenCall[]>();
  #seq = 0;
  #unreadable = 0;
  #unrecognised = 0;
  /** Whether the process that wrote the current lines is known to have had another key. */
  #isOtherKey = false;

  constructor(private readonly query: RecordQuery) {}

  take(line: string): void {
    const entry = entryIn(line);
    if (entry === undefined) this.#unreadable += 1;
    else if (entry.event === 'service.started') this.#start(entry);
    else if (entry.event === 'call.begun') this.#begin(entry);
    else if (entry.event === 'call.records') this.#name(entry);
    else if (entry.event === 'call.ended') this.#end(entry);
  }

  report(): RecordReport {
    for (const calls of this.#open.values()) for (const call of calls) this.#settle(call, undefined);
    this.#open.clear();
    const calls = this.#found
      .sort((one, other) => Date.parse(one.call.at) - Date.parse(other.call.at) || one.seq - other.seq)
      .map(({ call }) => call);
    return { calls, unreadable: this.#unreadable, unrecognised: this.#unrecognised };
  }

  #start({ what }: Values): void {
    const mark = textOf(valuesOf(what).pseudonymKey);
    this.#isOtherKey = mark !== undefined && !this.query.keyMarks.has(mark);
  }

  #begin(entry: Values): void {
    this.#seq += 1;
    const call: OpenCall = {
      seq: this.#seq,
      begun: entry,
      isNamed: false,
      records: new Set(),
      hasNames: false,
      isPartial: false,
      isOtherKey: this.#isOtherKey,
    };
    this.#read(call, entry);
    const key = String(entry.requestId);
    const others = this.#open.get(key) ?? [];
    this.#open.set(key, [...others, call]);
    // Which of them further names belong to cannot be told.
    if (others.length > 0) for (const each of [...others, call]) each.isPartial = true;
  }

  #name(entry: Values): void {
    for (const call of this.#open.get(String(entry.requestId)) ?? []) this.#read(call, entry);
  }

  #end(entry: Values): void {
    const key = String(entry.requestId);
    this.#name(entry);
    const calls = this.#open.get(key) ?? [];
    const ended = calls.find(({ begun }) => begun.operation === entry.operation);
    if (ended === undefined) return;
    const rest = calls.filter((call) => call !== ended);
    if (rest.length === 0) this.#open.delete(key);
    else this.#open.set(key, rest);
    this.#settle(ended, entry);
  }

  #read(call: OpenCall, { what }: Values): void {
    const details = valuesOf(what);
    const names = [details.records, ...RECORD_PARAMETERS.map((name) => details[name])]
      .flat()
      .filter((name) => typeof name === 'string');
    if (names.length > 0) call.hasNames = true;
    for (const name of names) call.records.add(name);
    if (names.some((name) => this.query.pseudonyms?.has(name))) call.isNamed = true;
    if (details.recordsTotal !== undefined) call.isPartial = true;
  }

  #settle(call: OpenCall, ended: Values | undefined): void {
    const { begun, seq } = call;
    const { from, until } = this.query;
    if (until !== undefined && timeOf(begun) > until.getTime()) return;
    if (from !== undefined && ended !== undefined && timeOf(ended) < from.getTime()) return;
    const { actors, pseudonyms, policies } = this.query;
    if (actors !== undefined && !actors.has(textOf(begun.actor) ?? '')) return;
    const policy = textOf(begun.policy);
    const concern = pseudonyms && underPolicy(concernOf(call, ended), policies?.get(policy ?? ''));
    if (pseudonyms !== undefined && concern === undefined) {
      if (call.hasNames && call.isOtherKey) this.#unrecognised += 1;
      return;
    }
    const { actor, network, operation, requestId } = begun;
    this.#found.push({
      seq,
      call: {
        at: textOf(begun.at) ?? '',
        actor: textOf(actor),
        network: textOf(network),
        operation: textOf(operation),
        requestId: textOf(requestId),
        concern,
        policy,
        what: { ...withoutRecords(begun.what), ...withoutRecords(ended?.what) },
        records: [...call.records],
        outcome: textOf(ended?.outcome),
      },
    });
  }
}

/** Operations that need a scope for records, but neither show nor change one. */
const WITHOUT_RECORDS: readonly unknown[] = [
  'GetNextRecordId',
  'ListRepositoryFiles',
  'CreateRepositoryFolder',
  'GetRepositoryFileInfo',
  'DeleteRepositoryFile',
];
const RECORD_SCOPE = /^(?:records|files|surveys|log):/;
const NARROWING: readonly unknown[] = ['from', 'until'];

/** What a policy does not show, a call under it cannot have read. What it shows in part, the log does not tell. */
function underPolicy(concern: Concern | undefined, reach: PolicyReach | undefined): Concern | undefined {
  if (concern === undefined || concern === 'named' || reach === undefined || reach === 'all') return concern;
  return reach === 'none' ? undefined : 'policy';
}

function withoutRecords(what: unknown): Values {
  const hidden: readonly string[] = ['records', ...RECORD_PARAMETERS];
  return Object.fromEntries(Object.entries(valuesOf(what)).filter(([name]) => !hidden.includes(name)));
}

/** @returns undefined if the call did not concern the record */
function concernOf({ begun, ...call }: OpenCall, ended: Values | undefined): Concern | undefined {
  if (call.isNamed) return 'named';
  if (call.hasNames && !call.isPartial && ended !== undefined) return undefined;
  if (ended?.outcome === 'refused' || valuesOf(ended?.what).rows === 0) return undefined;
  if (WITHOUT_RECORDS.includes(begun.operation)) return undefined;
  if (!listOf(begun.scopes).some((scope) => RECORD_SCOPE.test(String(scope)))) return undefined;
  const { filterFields, events, report, parameters } = valuesOf(begun.what);
  const isNarrowed = [filterFields, events, report].some((narrowing) => narrowing !== undefined);
  return isNarrowed || listOf(parameters).some((name) => NARROWING.includes(name)) ? 'filter' : 'project';
}

function entryIn(line: string): Values | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null && 'event' in entry ? { ...entry } : undefined;
  } catch {
    return undefined;
  }
}

function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function timeOf({ at }: Values): number {
  return Date.parse(textOf(at) ?? '');
}
