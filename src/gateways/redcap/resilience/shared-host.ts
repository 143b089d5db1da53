import type { Outcome } from '../call-errors.js';
import { CallQueue, ProjectTurns, type CallQueueOptions } from './call-queue.js';
import { CircuitBreaker, type Circuit, type CircuitBreakerOptions } from './circuit-breaker.js';
import type { Clock } from './clock.js';
import { MinuteCeiling, type CallCeiling } from './minute-ceiling.js';
import { LOCAL_RESILIENCE, type ResilienceState } from './resilience-options.js';

/**
 * What the projects of one REDCap share in a process: the ceiling and the turns of calls, and a circuit beside that of each project,
 * which opens when the calls of two projects at least fail one after the other. So a project that hangs says nothing of
 * the others, and when REDCap itself is away, not every project has to find out.
 */
export class SharedHost {
  /** How many projects there are. */
  projects = 1;
  #queue: CallQueue | undefined;
  #circuit: CircuitBreaker | undefined;
  #ceiling: MinuteCeiling | undefined;
  /** The projects that have failed since any has answered. */
  readonly #failing = new Set<string>();

  /** Returns the state of a project. @param shared what it shares with other processes: then that has the ceiling */
  of(project: string, shared?: ResilienceState): ResilienceState {
    const own = shared ?? LOCAL_RESILIENCE;
    return {
      ceiling: (limit, clock) =>
        shared === undefined ? this.#ceilingOf(project, limit, clock) : shared.ceiling(limit, clock),
      cacheVersion: shared?.cacheVersion,
      circuit: (options, clock) => this.#circuitOf(project, own.circuit(options, clock), options, clock),
      host: { project, queue: (options, clock) => this.#queueWith(options, clock) },
    };
  }

  #ceilingOf(project: string, limit: number, clock: Clock): CallCeiling {
    const ceiling = (this.#ceiling ??= new MinuteCeiling(limit, clock, undefined, () => this.projects));
    return {
      take: (caller, isProbe) => ceiling.take(caller && `${project}/${caller}`, isProbe, project),
      used: () => ceiling.used(),
    };
  }

  #queueWith(options: CallQueueOptions, clock: Clock): CallQueue {
    return (this.#queue ??= new CallQueue(options, clock, new ProjectTurns(options.concurrency)));
  }

  #circuitOf(project: string, own: Circuit, options: CircuitBreakerOptions, clock: Clock): Circuit {
    const host = (this.#circuit ??= new CircuitBreaker(options, clock));
    return {
      check: () => {
        host.check();
        own.check();
      },
      enter: () => {
        const reportHost = host.enter();
        try {
          const report = own.enter();
          return (outcome) => {
            report(outcome);
            reportHost(this.#outcomeOf(project, outcome));
          };
        } catch (error) {
          reportHost('abandoned');
          throw error;
        }
      },
    };
  }

  /** Failures of one project alone say nothing of the host. */
  #outcomeOf(project: string, outcome: Outcome): Outcome {
    if (outcome === 'answered') this.#failing.clear();
    if (outcome !== 'failed') return outcome;
    this.#failing.add(project);
    return this.#failing.size > 1 ? 'failed' : 'abandoned';
  }
}
