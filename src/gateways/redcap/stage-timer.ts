/** One timer for the stages of a call that follow one another: starting a stage ends the one before. */
export class StageTimer {
  #timer: NodeJS.Timeout | undefined;

  start(milliseconds: number, onTimeout: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onTimeout, milliseconds);
  }

  /** Something happened: the stage's time begins again. Does nothing when no stage runs. */
  refresh(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
