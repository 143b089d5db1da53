import * as z from 'zod';
import { listOfObjects, options, type Shape } from '../../../domain/identifiers/check-options.js';
import { anyText, positiveInteger, nonBlankText } from './argument-values.js';
import { CALL, type CallOptions, WRITE, type WriteOptions } from '../call-options.js';
import { integer, renamed, text, uniqueName, wireRows } from './answer-values.js';
import { ARM_FILTER, type ArmFilter } from './arms.js';
import { content, type ContentCalls } from './content-calls.js';

/** A data entry form of the project. */
export interface Instrument {
  /** The unique name as in the data dictionary, such as `visit_1`. */
  readonly name: string;
  /** The display name. Can be any text, including HTML: escape it before showing it. */
  readonly label: string;
}

/** An instrument that is filled in at an event. */
export interface InstrumentEventMapping {
  readonly arm: number;
  readonly event: string;
  readonly instrument: string;
}

/** An instrument, or a whole event, that can be filled in several times. */
export interface RepeatingInstrument {
  /** The unique event name; empty in classic projects. */
  readonly event: string;
  /** Empty when the whole event repeats. */
  readonly instrument: string;
  readonly customLabel: string;
}

export const INSTRUMENT_COLUMNS = {
  name: ['instrument_name', uniqueName],
  label: ['instrument_label', text],
} as const;

const InstrumentRows: z.ZodType<Instrument[]> = z.array(renamed(INSTRUMENT_COLUMNS));

export const MAPPING_COLUMNS = {
  arm: ['arm_num', integer],
  event: ['unique_event_name', uniqueName],
  instrument: ['form', uniqueName],
} as const;

const MappingRows: z.ZodType<InstrumentEventMapping[]> = z.array(renamed(MAPPING_COLUMNS));

export const REPEATING_COLUMNS = {
  event: ['event_name', text],
  instrument: ['form_name', text],
  customLabel: ['custom_form_label', text],
} as const;

const RepeatingRows: z.ZodType<RepeatingInstrument[]> = z.array(
  // A classic project has no events, and where a whole event repeats no instrument is named.
  renamed(REPEATING_COLUMNS).refine((row) => row.event !== '' || row.instrument !== ''),
);

/** `content=instrument`. @see docs/protocol/redcap.md 8.7 (wire) */
export class Instruments {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the instruments in project order. */
  list(options: CallOptions = {}): Promise<Instrument[]> {
    return this.calls.list({ content: 'instrument' }, InstrumentRows, options);
  }
}

/** `content=formEventMapping`. @see docs/protocol/redcap.md 9.3 (wire); 2.1: 400 if there are none */
export class Mappings {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the instruments of each event; empty in a classic project. */
  async list({ arms, ...options }: ArmFilter = {}): Promise<InstrumentEventMapping[]> {
    const parameters = { content: 'formEventMapping', arms: arms?.map(String) };
    const emptyIf = /cannot export form\/event mappings/i;
    return this.calls.list(parameters, MappingRows, options, { emptyIf });
  }

  /** Replaces all mappings of the project. @returns the number that was sent */
  async put(mappings: readonly InstrumentEventMapping[], options: WriteOptions = {}): Promise<number> {
    const rows = wireRows(MAPPING_COLUMNS, mappings);
    return this.calls.import('formEventMapping', rows, options, { isRepeatable: true });
  }
}

/** `content=repeatingFormsEvents`. @see docs/protocol/redcap.md 9.4 (client); 2.1: 400 if there are none */
export class Repeating {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the instruments and whole events that repeat; empty if nothing repeats. */
  list(options: CallOptions = {}): Promise<RepeatingInstrument[]> {
    const emptyIf = /cannot export repeating instruments/i;
    return this.calls.list({ content: 'repeatingFormsEvents' }, RepeatingRows, options, { emptyIf });
  }

  /** Replaces the repeating instruments and events of the project. @returns the number that was sent */
  async put(repeating: readonly RepeatingInstrument[], options: WriteOptions = {}): Promise<number> {
    const named = repeating.map((each) => ({ ...each, event: each.event || undefined }));
    const rows = wireRows(REPEATING_COLUMNS, named);
    return this.calls.import('repeatingFormsEvents', rows, options, { isRepeatable: true });
  }
}

const MAPPING = {
  arm: positiveInteger,
  event: nonBlankText,
  instrument: nonBlankText,
} satisfies Shape<InstrumentEventMapping>;

const REPEATING = {
  event: anyText,
  instrument: anyText,
  customLabel: anyText,
} satisfies Shape<RepeatingInstrument>;

export const INSTRUMENTS = content(Instruments, {
  list: [options(CALL)],
});

export const MAPPINGS = content(Mappings, {
  list: [options(ARM_FILTER)],
  put: [listOfObjects('mappings', MAPPING), options(WRITE)],
});

export const REPEATINGS = content(Repeating, {
  list: [options(CALL)],
  put: [listOfObjects('repeating', REPEATING), options(WRITE)],
});
