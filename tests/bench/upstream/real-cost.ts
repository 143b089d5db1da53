import { setTimeout as sleep } from 'node:timers/promises';

const CALL_MS = 300;
const RECORD_MS = 1;
const WORKERS = 4;

/** What a call costs a REDCap as people have it: four workers, some 300 ms a call and a millisecond a record. */
export class RealCost {
  #free = WORKERS;
  readonly #waiting: (() => void)[] = [];
  /** The most calls that were under way or waited at once. */
  peak = 0;
  #underWay = 0;

  /** Waits for a worker, and as long as it takes for so many records. */
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
