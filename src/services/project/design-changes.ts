import { PreconditionFailedError } from '../../errors/caller-errors.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';

/**
 * Changes of the design that are made only while it is what their author has read. They take turns in this process, so that
 * of two authors who read the same the second is told. REDCap knows no conditions: what it is changed to by other ways
 * between the look and the change goes unseen.
 */
export class DesignChanges {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: Pick<CrfClient, 'clearCache'>) {}

  /**
   * @param isUnchanged asks REDCap whether the design is what the author has read; undefined where the author did not say
   * @throws {PreconditionFailedError} it is not; nothing was changed
   */
  async make<T>(isUnchanged: (() => Promise<boolean>) | undefined, change: () => Promise<T>): Promise<T> {
    if (isUnchanged === undefined) return change();
    const made = this.#last.then(async () => {
      // What is remembered may be older than what the author has read.
      this.client.clearCache();
      if (!(await isUnchanged())) throw new PreconditionFailedError();
      return change();
    });
    this.#last = made.catch(() => undefined);
    return made;
  }
}
