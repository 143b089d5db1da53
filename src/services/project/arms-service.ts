import type { Arm, ArmFilter, CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import { withNamedParameter } from './named-parameter.js';
import { checkReplacement, type ReplacementOptions } from './replacement.js';

/** The arms of a longitudinal project. */
export class ArmsService {
  constructor(
    private readonly client: { readonly arms: Pick<CrfClient['arms'], 'export' | 'import' | 'delete'> },
  ) {}

  /** Lists the arms that have events; empty in a classic project. */
  list(options?: ArmFilter): Promise<Arm[]> {
    return this.client.arms.export(options);
  }

  /**
   * Adds and renames arms. As a replacement, deletes all other arms with their data. Repeating the call has no further
   * effect.
   *
   * @throws {InsufficientScopeError} a replacement by a caller who may not delete
   */
  async put(arms: readonly Arm[], options: ReplacementOptions): Promise<number> {
    return this.client.arms.import(arms, checkReplacement(options));
  }

  /** Deletes an arm with its events and all their data. */
  delete(number: number, options?: CallOptions): Promise<number> {
    const parameter = { field: 'armNumber', message: 'is not an arm of this project' };
    return withNamedParameter(this.client.arms.delete([number], options), 'arms', parameter);
  }
}
