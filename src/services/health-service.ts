import { once } from 'node:events';
import type { CallOptions } from '../gateways/redcap/crf-client.js';

export type DependencyName = 'redcap' | 'identity' | 'redis';

/** One thing the service depends on. */
export interface Dependency {
  readonly name: DependencyName;
  /** Whether the service is of no use without it; yes by default. */
  readonly isEssential?: boolean | undefined;
  /** Resolves when it answers. */
  check(options: CallOptions): Promise<unknown>;
}

export interface DependencyState {
  readonly name: DependencyName;
  readonly status: 'up' | 'down';
  /** Milliseconds until it answered, or until it was given up. */
  readonly latencyMs: number;
}

export interface Readiness {
  /** `degraded`: it does its work, but not all of it. */
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly dependencies: readonly DependencyState[];
}

export interface HealthOptions {
  /** How long one check may take; 2000 ms by default (OPS-01). */
  readonly timeoutMs?: number | undefined;
  /** How long an answer is reused; 3000 ms by default. */
  readonly cacheMs?: number | undefined;
  readonly clock?: (() => number) | undefined;
}

/** Whether the process lives, and whether it can do its work. */
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

  /** From now on the service is not ready, whatever its dependencies say (OPS-02). */
  stop(): void {
    this.#stopping.abort();
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Aborts when the service begins to stop: ends what would go on without end. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Asks every dependency, at most once in `cacheMs`, however many ask. Reveals neither versions nor host names. */
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
      // Not every dependency can be called off; the answer is not kept waiting by one that cannot.
      once(signal, 'abort').then(() => 'down' as const),
    ]);
    return { name: dependency.name, status, latencyMs: Math.round(this.#clock() - started) };
  }
}
