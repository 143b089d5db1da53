import { once } from 'node:events';
import type { CallOptions } from '../gateways/redcap/crf-client.js';

export type DependencyName = 'redcap' | 'identity' | 'redis';

/** A system that the service depends on. */
export interface Dependency {
  readonly name: DependencyName;
  /** Whether the service is unusable without it; true by default. */
  readonly isEssential?: boolean | undefined;
  /** Resolves when the system responds. */
  check(options: CallOptions): Promise<unknown>;
}

export interface DependencyState {
  readonly name: DependencyName;
  readonly status: 'up' | 'down';
  /** Milliseconds until it responded, or until the check timed out. */
  readonly latencyMs: number;
}

export interface Readiness {
  /** `degraded`: the service works, but not completely. */
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly dependencies: readonly DependencyState[];
}

export interface HealthOptions {
  /** Maximum duration of a check; 2000 ms by default (OPS-01). */
  readonly timeoutMs?: number | undefined;
  /** How long a result is reused; 3000 ms by default. */
  readonly cacheMs?: number | undefined;
  readonly clock?: (() => number) | undefined;
}

/** Reports whether the process is alive and whether it can serve requests. */
export class HealthService {
  readonly #dependencies: readonly Dependency[];
  readonly #timeoutMs: number;
  readonly #cacheMs: number;
  readonly #clock: () => number;
  #last: { readonly at: number; readonly readiness: Promise<Readiness> } | undefined;
  readonly #stopping = new AbortController();

  constructor(dependencies: readonly Dependency[], options: HealthOptions = {}) {
    this.#dependencies = dependencies;
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

  /** Checks all dependencies, at most once per `cacheMs` for all callers. Reveals no versions or host names. */
  async readiness(): Promise<Readiness> {
    const readiness = await this.#cached();
    return this.isStopping ? { ...readiness, status: 'not_ready' } : readiness;
  }

  #cached(): Promise<Readiness> {
    const now = this.#clock();
    if (this.#last === undefined || now - this.#last.at >= this.#cacheMs) {
      this.#last = { at: now, readiness: this.#ask() };
    }
    return this.#last.readiness;
  }

  async #ask(): Promise<Readiness> {
    const dependencies = await Promise.all(this.#dependencies.map((dependency) => this.#state(dependency)));
    return { status: this.#statusOf(dependencies), dependencies };
  }

  #statusOf(states: readonly DependencyState[]): Readiness['status'] {
    const down = states.filter(({ status }) => status === 'down').map(({ name }) => name);
    const missing = this.#dependencies.filter(({ name }) => down.includes(name));
    if (missing.length === 0) return 'ready';
    return missing.every(({ isEssential }) => isEssential === false) ? 'degraded' : 'not_ready';
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
