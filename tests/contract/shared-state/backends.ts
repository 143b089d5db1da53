import { BoundedStore } from '../../../src/http/middleware/limits/bounded-store.js';
import type { LimitStore } from '../../../src/http/middleware/limits/limit-store.js';
import type { CallCeiling } from '../../../src/gateways/redcap/resilience/minute-ceiling.js';
import { SYSTEM_CLOCK } from '../../../src/gateways/redcap/resilience/clock.js';
import {
  LOCAL_RESILIENCE,
  type ResilienceState,
} from '../../../src/gateways/redcap/resilience/resilience-options.js';
import { SharedState } from '../../../src/gateways/redis/shared-state.js';
import { type KeyValueStore, MemoryKeyValueStore } from '../../../src/services/auth/key-value-store.js';
import type {
  IdempotencyStore,
  IdempotentResult,
} from '../../../src/services/idempotency/idempotency-store.js';
import { MemoryIdempotencyStore } from '../../../src/services/idempotency/memory-idempotency-store.js';
import { RedisServer } from '../../support/redis-server.js';

/** The part of the state that one process sees. */
export interface StateOfProcess {
  limitStore(name: string, windowMs: number): LimitStore;
  keyValueStore(kind: string): KeyValueStore;
  readonly idempotency: IdempotencyStore;
  ceiling(limit: number): CallCeiling;
}

/** A place that stores state. */
export interface Backend {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Empty state as seen by two processes. In memory, both are the same. */
  twoProcesses(): Promise<readonly [StateOfProcess, StateOfProcess]>;
}

export class MemoryBackend implements Backend {
  readonly name = 'in memory';

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async twoProcesses(): Promise<readonly [StateOfProcess, StateOfProcess]> {
    const values = remembered((_kind: string) => new MemoryKeyValueStore());
    const limits = remembered((name: string) => {
      return new BoundedStore(Number.MAX_SAFE_INTEGER, { windowMs: Number(name.split(' ')[1]) });
    });
    const state: StateOfProcess = {
      limitStore: (name, windowMs) => limits(`${name} ${windowMs}`),
      keyValueStore: values,
      idempotency: new MemoryIdempotencyStore(),
      ...remembering(LOCAL_RESILIENCE),
    };
    return [state, state];
  }
}

export class RedisBackend implements Backend {
  readonly name = 'in Redis';
  #server: RedisServer | undefined;
  #processes: SharedState[] = [];
  #projects = 0;

  async start(): Promise<void> {
    this.#server = await RedisServer.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((shared) => shared.close()));
    await this.#server?.dispose();
  }

  async twoProcesses(): Promise<readonly [StateOfProcess, StateOfProcess]> {
    // A different secret acts as a different project, so existing state is not visible.
    const options = {
      url: this.#server?.url ?? '',
      secret: `project ${(this.#projects += 1)}`,
      timeoutMs: 20_000,
    };
    const [one, other] = [await SharedState.connect(options), await SharedState.connect(options)];
    this.#processes.push(one, other);
    return [stateOf(one), stateOf(other)];
  }
}

function stateOf(shared: SharedState): StateOfProcess {
  return {
    limitStore: (name, windowMs) => shared.limitStore({ name, windowMs }),
    keyValueStore: shared.keyValueStore,
    idempotency: shared.idempotencyStore<IdempotentResult>(),
    ...remembering(shared.resilience),
  };
}

function remembering(resilience: ResilienceState): Pick<StateOfProcess, 'ceiling'> {
  const ceilings = remembered((limit: string) => resilience.ceiling(Number(limit), SYSTEM_CLOCK));
  return { ceiling: (limit) => ceilings(String(limit)) };
}

/** Creates each object once. */
function remembered<Thing>(make: (name: string) => Thing): (name: string) => Thing {
  const made = new Map<string, Thing>();
  return (name) => {
    const thing = made.get(name) ?? make(name);
    made.set(name, thing);
    return thing;
  };
}
