import type {
  ArmFilter,
  CallOptions,
  CrfClient,
  InstrumentEventMapping,
  RepeatingInstrument,
} from '../../gateways/redcap/crf-client.js';

type Methods = 'exportEventMappings' | 'importEventMappings' | 'exportRepeating' | 'importRepeating';

/** Assigns instruments to events, and defines what repeats. Each list is replaced as a whole. */
export class InstrumentPlacesService {
  constructor(private readonly client: { readonly instruments: Pick<CrfClient['instruments'], Methods> }) {}

  /** Lists the mappings; empty in a classic project. */
  listMappings(options?: ArmFilter): Promise<InstrumentEventMapping[]> {
    return this.client.instruments.exportEventMappings(options);
  }

  /** Replaces all mappings. */
  putMappings(mappings: readonly InstrumentEventMapping[], options?: CallOptions): Promise<number> {
    return this.client.instruments.importEventMappings(mappings, options);
  }

  /** Lists the repeating instruments and events; empty if nothing repeats. */
  listRepeating(options?: CallOptions): Promise<RepeatingInstrument[]> {
    return this.client.instruments.exportRepeating(options);
  }

  /** Replaces the list of repeating instruments and events. */
  putRepeating(repeating: readonly RepeatingInstrument[], options?: CallOptions): Promise<number> {
    return this.client.instruments.importRepeating(repeating, options);
  }
}
