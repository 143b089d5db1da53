import { once } from 'node:events';
import * as z from 'zod';
import { SharedStateUnavailableError } from '../domain/errors/operator-errors.js';
import type { CallOptions } from '../gateways/redcap/crf-client.js';
import type { KeyValueStore } from './auth/key-value-store.js';

export type DependencyName = 'redcap' | 'identity' | 'redis' | 'audit' | 'policy';

/** A system that the service depends on. */
export interface Dependency {
  readonly name: DependencyName;
  /** Whether the service is unusable without it. */
  readonly isEssential: boolean;
  /** Whether it is checked at most once a minute, because a check costs something there (REDCap counts calls). */
  readonly isCheckedRarely: boolean;
  /** Resolves when the system responds. */
  check(options: CallOptions): Promise<unknown>;
}

/** The state of one dependency of the service. */
export interface DependencyState {
  readonly name: DependencyName;
  /** `unknown`: another process is checking it for the first time. */
  readonly status: 'up' | 'down' | 'unknown';
  /**
   * Milliseconds until the dependency responded, or until the check timed out.
   * @isInt
   */
  readonly latencyMs: number;
}

/** Whether the service can handle requests. */
export interface Readiness {
  /** `degraded`: the service works, but refuses requests that need the unavailable dependency. */
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly dependencies: readonly DependencyState[];
}

/** Where the processes of a service share what one of them has found. */
export type SharedHealth = Pick<KeyValueStore, 'get' | 'add' | 'set'>;

export interface HealthOptions {
  /** Shares the results of rare checks between processes; by default each process checks for itself. */
  readonly shared?: SharedHealth | undefined;
  /** Maximum duration of a check; 2000 ms by default (OPS-01). */
  readonly timeoutMs?: number | undefined;
  /** How long a result is reused; 3000 ms by default. */
  readonly cacheMs?: number | undefined;
  readonly clock?: (() => number) | undefined;
}

/** The time between two checks of a dependency that is checked rarely. */
const RARELY_MS = 60_000;
/** Stands for the result of a check that is under way. */
const UNDER_WAY = '-';

/** Reports whether the process is alive and whether it can serve requests. */
export class HealthService {
  readonly #dependencies: readonly Dependency[];
  readonly #shared: SharedHealth | undefined;
  readonly #timeoutMs: number;
  readonly #cacheMs: number;
  readonly #clock: () => number;
  #last: { readonly at: number; readonly readiness: Promise<Readiness> } | undefined;
  readonly #rare = new Map<
    DependencyName,
    { readonly at: number; readonly state: Promise<DependencyState> }
  >();
  readonly #stopping = new AbortController();

  constructor(dependencies: readonly Dependency[], options: HealthOptions = {}) {
    this.#dependencies = dependencies;
    this.#shared = options.shared;
    this.#timeoutMs = options.timeoutMs ?? 2000;
    this.#cacheMs = options.cacheMs ?? 3000;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** Marks the service as not ready, regardless of its dependencies (OPS-02). */
  stop(): void {
    this.#stopping.abort();
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Aborted when the service begins to stop. Ends work that would otherwise continue indefinitely. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * Checks all dependencies, at most once per `cacheMs` for all callers, and those that are checked rarely at most once
   * a minute for all callers of all processes. Reveals no versions or host names.
   */
  async readiness(): Promise<Readiness> {
    const readiness = await this.#cached();
    return this.isStopping ? { ...readiness, status: 'not_ready' } : readiness;
  }

  #cached(): Promise<Readiness> {
    const now = this.#clock();
    if (this.#last === undefined || now - this.#last.at >= this.#cacheMs)
      this.#last = { at: now, readiness: this.#ask() };
    return this.#last.readiness;
  }

  async #ask(): Promise<Readiness> {
    const dependencies = await Promise.all(
      this.#dependencies.map((each) => (each.isCheckedRarely ? this.#rareState(each) : this.#state(each))),
    );
    return { status: this.#statusOf(dependencies), dependencies };
  }

  #statusOf(states: readonly DependencyState[]): Readiness['status'] {
    const down = states.filter(({ status }) => status === 'down').map(({ name }) => name);
    const missing = this.#dependencies.filter(({ name }) => down.includes(name));
    if (missing.length === 0) return 'ready';
    return missing.some(({ isEssential }) => isEssential) ? 'not_ready' : 'degraded';
  }

  /** Takes the state that another process has found within the last minute, or finds it for all. */
  async #rareState(dependency: Dependency): Promise<DependencyState> {
    if (this.#shared === undefined) return this.#ownState(dependency);
    const { name } = dependency;
    try {
      const found = toState(name, await this.#shared.get(name));
      if (found !== undefined) return await this.#remember(name, Promise.resolve(found));
      if (!(await this.#shared.add(name, UNDER_WAY, RARELY_MS)))
        return await (this.#rare.get(name)?.state ?? { name, status: 'unknown', latencyMs: 0 });
      const state = await this.#remember(name, this.#state(dependency));
      await this.#shared.set(name, JSON.stringify(state), RARELY_MS);
      return state;
    } catch (error) {
      // While Redis is away, each process checks for itself, as rarely.
      if (error instanceof SharedStateUnavailableError) return this.#ownState(dependency);
      throw error;
    }
  }

  #ownState(dependency: Dependency): Promise<DependencyState> {
    const last = this.#rare.get(dependency.name);
    if (last !== undefined && this.#clock() - last.at < RARELY_MS) return last.state;
    return this.#remember(dependency.name, this.#state(dependency));
  }

  #remember(name: DependencyName, state: Promise<DependencyState>): Promise<DependencyState> {
    this.#rare.set(name, { at: this.#clock(), state });
    return state;
  }

  async #state(dependency: Dependency): Promise<DependencyState> {
    const started = this.#clock();
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const status = await Promise.race([
      dependency.check({ signal, caller: 'health' }).then(
        () => 'up' as const,
        () => 'down' as const,
      ),
      // Not every dependency can be cancelled. The response does not wait for one that cannot.
      once(signal, 'abort').then(() => 'down' as const),
    ]);
    return { name: dependency.name, status, latencyMs: Math.round(this.#clock() - started) };
  }
}

const StoredState = z.object({ status: z.enum(['up', 'down']), latencyMs: z.number() });

/** @returns undefined if nothing was found yet, or another version of the service has written it in another form */
function toState(name: DependencyName, stored: string | undefined): DependencyState | undefined {
  if (stored === undefined || stored === UNDER_WAY) return undefined;
  const { data } = StoredState.safeParse(JSON.parse(stored));
  return data && { name, ...data };
}
