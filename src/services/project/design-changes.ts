import { PreconditionFailedError } from '../../errors/caller-errors.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';

/**
 * Makes design changes only if the design is still as their author has read it. Changes are made one after the other
 * within this process, so that of two authors who have read the same design, the second is refused. REDCap has no
 * conditional changes: a change made elsewhere between the check and the change is not noticed.
 */
export class DesignChanges {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: Pick<CrfClient, 'clearCache'>) {}

  /**
   * @param isUnchanged checks in REDCap whether the design is as the author has read it; undefined if the author made
   *   no condition
   * @throws {PreconditionFailedError} the design has changed; nothing was changed by this call
   */
  async make<T>(isUnchanged: (() => Promise<boolean>) | undefined, change: () => Promise<T>): Promise<T> {
    if (isUnchanged === undefined) return change();
    const made = this.#last.then(async () => {
      // The cache may be older than what the author has read.
      this.client.clearCache();
      if (!(await isUnchanged())) throw new PreconditionFailedError();
      return change();
    });
    this.#last = made.catch(() => undefined);
    return made;
  }
}
