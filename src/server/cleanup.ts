/** What has to be closed: at the end, or if a start fails midway. */
export class Cleanup {
  readonly #steps: (() => unknown)[] = [];

  /** Adds a step. A step that returns a promise is awaited. */
  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /**
   * Runs the steps, newest first. A step that fails does not keep the others from running.
   *
   * @returns what they failed with
   */
  async run(): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }
}
