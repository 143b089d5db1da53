import type {
  ArmFilter,
  CallOptions,
  CrfClient,
  ProjectEvent,
  ProjectEventChange,
} from '../../gateways/redcap/crf-client.js';
import { withKnownNames } from './known-names.js';
import { withNamedParameter } from './named-parameter.js';
import { checkReplacement, type ReplacementOptions } from './replacement.js';

type Client = { readonly events: Pick<CrfClient['events'], 'export' | 'import' | 'delete'> };

/** The events of a longitudinal project. */
export class EventsService {
  constructor(private readonly client: Client) {}

  /** Lists the events in project order; empty in a classic project. */
  list(options?: ArmFilter): Promise<ProjectEvent[]> {
    return this.client.events.export(options);
  }

  /**
   * Adds and changes events. As a replacement, deletes all other events with their data. An event without unique name
   * is matched by the label within its arm, or created if there is none. Repeating the call has no further effect.
   *
   * @throws {InvalidRequestError} several events of an arm have the same label
   * @throws {InsufficientScopeError} a replacement by a caller who may not delete
   */
  async put(events: readonly ProjectEventChange[], options: ReplacementOptions): Promise<number> {
    const { isReplacement, ...call } = checkReplacement(options);
    const named = withKnownNames(events, await this.list(call), {
      list: 'events',
      labelOf: ({ armNumber, label }) => JSON.stringify([armNumber, label]),
    });
    return this.client.events.import(named, { isReplacement, ...call });
  }

  /** Deletes an event with all its data. */
  delete(uniqueName: string, options?: CallOptions): Promise<number> {
    const parameter = { field: 'event', message: 'is not an event of this project' };
    return withNamedParameter(this.client.events.delete([uniqueName], options), 'events', parameter);
  }
}
