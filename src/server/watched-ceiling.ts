import type { CallCeiling } from '../gateways/redcap/resilience/minute-ceiling.js';
import type { ResilienceState } from '../gateways/redcap/resilience/resilience-options.js';

/** Knows the ceiling on calls that a client has made from its state, so that its use can be shown to operators. */
export class WatchedCeiling {
  readonly resilience: ResilienceState;
  #ceiling: CallCeiling | undefined;
  #limit = 0;

  constructor(state: ResilienceState) {
    this.resilience = {
      ...state,
      ceiling: (limit, clock) => {
        this.#limit = limit;
        return (this.#ceiling = state.ceiling(limit, clock));
      },
    };
  }

  /** Calls in any minute; 0 for no ceiling. */
  get limit(): number {
    return this.#limit;
  }

  /** Returns the number of calls in the last minute. */
  async used(): Promise<number> {
    return (await this.#ceiling?.used()) ?? 0;
  }
}
