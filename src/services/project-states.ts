import { setTimeout } from 'node:timers/promises';
import { CrfError } from '../domain/errors/crf-error.js';
import type { ProblemCode } from '../domain/errors/problem-table.js';
import type { CallOptions } from '../gateways/redcap/crf-client.js';

/** What the last check of a project found. */
export interface ProjectState {
  /** `unknown`: no check has ended yet. */
  readonly status: 'up' | 'down' | 'unknown';
  readonly title?: string | undefined;
  /** The code of the error that the check ended with. */
  readonly reason?: ProblemCode | undefined;
}

/** Asks for the title of one project. A title from the cache of the client, 30 seconds old at most, is an answer too. */
export type ProjectCheck = (call: CallOptions) => Promise<string>;

/**
 * How long an answer waits for checks; what they find later is in the next. Less than readiness waits, which would
 * otherwise call REDCap down while one of its projects hangs.
 */
const PATIENCE_MS = 1_000;
/** A check that takes longer counts as failed. */
const CHECK_MS = 10_000;
/** A project is asked once a minute at most, and all of them together ten times a minute. */
const MINUTE_MS = 60_000;
const CHECKS_PER_MINUTE = 10;
const AT_ONCE = 4;

export interface ProjectStatesOptions {
  /** What was known until now: it holds for projects with the same check. */
  readonly before?: ProjectStates | undefined;
  /** Returns why this process serves nothing of a project, whatever REDCap answers. It costs nothing to ask. */
  readonly ownFaultOf?: (name: string) => ProblemCode | undefined;
  readonly clock?: () => number;
}

/** Knows which of many projects answer. REDCap counts calls, so that each is asked rarely, and never all at once. */
export class ProjectStates {
  readonly #found = new Map<string, { readonly at: number; readonly state: ProjectState }>();
  readonly #underWay = new Map<string, Promise<void>>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #ownFaultOf: (name: string) => ProblemCode | undefined;
  readonly #clock: () => number;

  constructor(
    private readonly checks: ReadonlyMap<string, ProjectCheck>,
    { before, ownFaultOf = () => undefined, clock = () => performance.now() }: ProjectStatesOptions = {},
  ) {
    this.#ownFaultOf = ownFaultOf;
    this.#clock = clock;
    for (const [name, check] of checks) {
      const found = before?.checks.get(name) === check ? before.#found.get(name) : undefined;
      if (found !== undefined) this.#found.set(name, found);
    }
  }

  /** Checks those of the projects whose last check is too old, and waits a moment for what is found. Never rejects. */
  async of(names: readonly string[]): Promise<ReadonlyMap<string, ProjectState>> {
    const due = names.filter((name) => this.#isDue(name));
    const checks = due.map((name) => this.#underWay.get(name) ?? this.#begin(name));
    if (checks.length > 0)
      await Promise.race([Promise.all(checks), setTimeout(PATIENCE_MS, undefined, { ref: false })]);
    return new Map(names.map((name) => [name, this.#stateOf(name)]));
  }

  /** The same, but waits until they have been asked. */
  async checked(names: readonly string[]): Promise<ReadonlyMap<string, ProjectState>> {
    await this.of(names);
    await Promise.all(names.flatMap((name) => this.#underWay.get(name) ?? []));
    return this.of(names);
  }

  /** Returns what is known of every project. */
  all(): Promise<ReadonlyMap<string, ProjectState>> {
    return this.of([...this.checks.keys()]);
  }

  #stateOf(name: string): ProjectState {
    const state = this.#found.get(name)?.state ?? { status: 'unknown' };
    const reason = this.#ownFaultOf(name);
    return reason === undefined ? state : { ...state, status: 'down', reason };
  }

  #isDue(name: string): boolean {
    const last = this.#found.get(name);
    const pauseMs = Math.max(MINUTE_MS, (MINUTE_MS / CHECKS_PER_MINUTE) * this.checks.size);
    return last === undefined || this.#clock() - last.at >= pauseMs;
  }

  #begin(name: string): Promise<void> {
    const check = this.#check(name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, check);
    return check;
  }

  async #check(name: string): Promise<void> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    const state = await this.#ask(name);
    this.#found.set(name, { at: this.#clock(), state });
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }

  async #ask(name: string): Promise<ProjectState> {
    const before = this.#found.get(name)?.state.title;
    const signal = AbortSignal.timeout(CHECK_MS);
    try {
      return { status: 'up', title: await this.checks.get(name)?.({ signal, caller: 'health' }) };
    } catch (error) {
      const code = error instanceof CrfError ? error.code : 'internal_error';
      return { status: 'down', title: before, reason: signal.aborted ? 'upstream_timeout' : code };
    }
  }
}
