import type {
  ArmFilter,
  CallOptions,
  CrfClient,
  ProjectEvent,
  ProjectEventChange,
  ReplaceOptions,
} from '../../gateways/redcap/crf-client.js';
import { withKnownNames } from './known-names.js';

type Client = { readonly events: Pick<CrfClient['events'], 'export' | 'import' | 'delete'> };

/** The events of a longitudinal project. */
export class EventsService {
  constructor(private readonly client: Client) {}

  /** In the order of the project; empty in a classic one. */
  list(options?: ArmFilter): Promise<ProjectEvent[]> {
    return this.client.events.export(options);
  }

  /**
   * Adds and changes events; as a replacement it deletes the others with their data. An event without its unique name is
   * the one of its arm that has the label, or else a new one: sent twice the list comes to the same.
   *
   * @throws {InvalidRequestError} several events of an arm have the label
   */
  async put(
    events: readonly ProjectEventChange[],
    { isReplacement, ...call }: ReplaceOptions = {},
  ): Promise<number> {
    const labelOf = ({ armNumber, label }: ProjectEventChange): string => JSON.stringify([armNumber, label]);
    const named = withKnownNames(events, await this.list(call), {
      list: 'events',
      labelOf: { sent: labelOf, known: labelOf },
    });
    return this.client.events.import(named, { isReplacement, ...call });
  }

  /** Deletes an event with everything that is stored there. */
  delete(uniqueName: string, options?: CallOptions): Promise<number> {
    return this.client.events.delete([uniqueName], options);
  }
}
