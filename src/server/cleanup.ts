/** What has to be closed if a start fails midway. */
export class Cleanup {
  readonly #steps: (() => unknown)[] = [];

  /** Adds a step. A step that returns a promise is awaited. */
  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Runs the steps, newest first. A step that fails does not keep the others from running. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch {
        // The error that made the start fail is the one to report.
      }
    }
  }
}
