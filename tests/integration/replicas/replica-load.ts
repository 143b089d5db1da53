import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { as, importOf, type Answer, type ReplicaSet } from './replica-set.js';

const WRITERS = 8;
const READERS = 4;

/** The allowed refusals during an outage. 500 would be a fault, and 0 a broken connection. */
const REFUSALS: ReadonlySet<number> = new Set([0, 409, 429, 502, 503, 504]);

interface Import {
  readonly mark: string;
  /** Whether a duplicate would be visible because REDCap numbers the record. */
  readonly isNumbered: boolean;
  outcome: 'stored' | 'unknown' | 'open' | 'refused';
}

/**
 * Clients that import one record after the other, each with a new key, and clients that read. A client without a
 * success repeats its import with the same key until it succeeds or is told that the outcome is unknown.
 */
export class ReplicaLoad {
  /** How often each status was answered. */
  readonly statuses: Record<string, number> = {};
  /** Imports that were refused because Redis was unavailable. */
  refusedForRedis = 0;
  /** Successful reads. */
  read = 0;
  readonly #imports: Import[] = [];
  readonly #name = `load-${(runs += 1)}`;
  #clients: Promise<void>[] = [];
  #isStopping = false;

  constructor(private readonly set: ReplicaSet) {}

  /** Imports that were answered with 200. */
  get stored(): number {
    return this.#imports.filter(({ outcome }) => outcome === 'stored').length;
  }

  /** @param isPatient whether clients repeat requests without a success */
  start({ isPatient = true } = {}): void {
    this.#clients = [
      ...Array.from({ length: WRITERS }, () => this.#write(isPatient)),
      ...Array.from({ length: READERS }, (_, index) => this.#readOn(index)),
    ];
  }

  /** Sends no new requests, and resolves when every import has an outcome. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#clients);
  }

  async untilMoreReads(count: number): Promise<void> {
    const goal = this.read + count;
    while (this.read < goal) await pause(10);
  }

  /** Checks that confirmed imports are stored once, nothing is stored twice, and clients can act on every refusal. */
  verify(): void {
    const found = this.#found();
    for (const { mark, isNumbered, outcome } of this.#imports) {
      const times = found.get(mark) ?? 0;
      if (outcome === 'stored') expect(times, `${mark}, which was confirmed`).to.equal(1);
      else expect(times, `${mark}, which is ${outcome}`).to.be.at.most(1);
      // The outcome is unknown only if a repetition would store the record again.
      if (outcome === 'unknown') expect(isNumbered, `${mark}, which nobody knows of`).to.equal(true);
    }
    const odd = Object.keys(this.statuses).filter(
      (status) => status !== '200' && !REFUSALS.has(Number(status)),
    );
    expect(odd, 'statuses that nothing explains').to.deep.equal([]);
    expect(this.#imports.filter(({ outcome }) => outcome === 'open')).to.deep.equal([]);
  }

  async #write(isPatient: boolean): Promise<void> {
    while (!this.#isStopping) {
      const number = this.#imports.length;
      const each: Import = { mark: `${this.#name}-${number}`, isNumbered: number % 2 === 0, outcome: 'open' };
      this.#imports.push(each);
      const { path, sent } = importOf(each.mark, each.mark, 'writer', each.isNumbered);
      do {
        each.outcome = this.#outcomeOf(await this.set.send(path, sent));
        if (each.outcome === 'open') await pause(50);
      } while (isPatient && each.outcome === 'open');
      if (each.outcome === 'open') each.outcome = 'refused';
    }
  }

  #outcomeOf(answer: Answer): Import['outcome'] {
    this.#note(answer);
    if (answer.status === 200) return 'stored';
    if (answer.text.includes('"shared_state_unavailable"')) this.refusedForRedis += 1;
    return answer.text.includes('"import_outcome_unknown"') ? 'unknown' : 'open';
  }

  async #readOn(index: number): Promise<void> {
    while (!this.#isStopping) {
      const path = index % 2 === 0 ? '/api/v1/project/version' : '/api/v1/records?limit=3&fields=record_id';
      const answer = await this.set.send(path, { headers: as('reader') });
      this.#note(answer);
      if (answer.status === 200) this.read += 1;
      // Readers without pauses would slow down the replicas that start meanwhile.
      await pause(20);
    }
  }

  #note({ status }: Answer): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }

  #found(): Map<string, number> {
    const found = new Map<string, number>();
    for (const { rows } of this.set.redcap.project.records.inOrder()) {
      for (const { values } of rows) {
        const mark = values.get('last_name') ?? '';
        found.set(mark, (found.get(mark) ?? 0) + 1);
      }
    }
    return found;
  }
}

let runs = 0;
