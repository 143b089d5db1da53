import { setTimeout as sleep } from 'node:timers/promises';

const CALL_MS = 300;
const RECORD_MS = 1;
const WORKERS = 4;

/** The cost of a call to a typical REDCap: four workers, about 300 ms per call and a millisecond per record. */
export class RealCost {
  #free = WORKERS;
  readonly #waiting: (() => void)[] = [];
  /** The maximum number of calls that were running or waiting at once. */
  peak = 0;
  #underWay = 0;

  /** Waits for a worker, and for the time that the given number of records takes. */
  async pay(records: number): Promise<void> {
    this.#underWay += 1;
    this.peak = Math.max(this.peak, this.#underWay);
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await sleep(CALL_MS + records * RECORD_MS);
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
    this.#underWay -= 1;
  }
}
