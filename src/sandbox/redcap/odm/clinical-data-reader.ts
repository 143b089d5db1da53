import type { StudyFile } from '../study.js';
import type { XmlListener } from './xml.js';

/** The parts of a project that determine which row a value belongs to. */
export interface DataLayout {
  readonly idField: string;
  isRepeatingInstrument(event: string, instrument: string): boolean;
  isRepeatingEvent(event: string): boolean;
  /** Whether the values of an item are dates with times. */
  hasTime(item: string): boolean;
}

/** One flat row, in the form that an import takes. */
export type FlatRow = Readonly<Record<string, string>>;

/** @see docs/protocol/redcap.md 9.8 (client) */
const DAY_AND_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;

const STRUCTURE = new Set(['redcap_data_access_group', 'redcap_survey_identifier']);

/**
 * Reads the `ClinicalData` of a document into flat rows, in document order.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export class ClinicalDataReader implements XmlListener {
  readonly #rows: Map<string, string>[] = [];
  readonly files: StudyFile[] = [];
  /** Number of dropped values: those of later instances of instruments that do not repeat. */
  lost = 0;
  #record = '';
  #ofRecord = new Map<string, Map<string, string>>();
  /** Values of the record as a whole, which are copied to each of its rows. */
  #structure = new Map<string, string>();
  #event = '';
  #eventRepeat = 1;
  #form = '';
  #formRepeat = 1;
  #hasForm = false;
  #hasItem = false;
  #file: { readonly item: string; readonly name: string; readonly type: string } | undefined;
  #base64: string[] = [];

  constructor(private readonly layout: DataLayout) {}

  /** The rows of the records that have ended. */
  get rows(): FlatRow[] {
    return this.#rows.map((row) => Object.fromEntries(row));
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const value = (key: string): string => attributes.get(key) ?? '';
    switch (name) {
      case 'SubjectData':
        this.#record = value('SubjectKey');
        this.#ofRecord = new Map();
        this.#structure = new Map();
        this.#event = '';
        this.#eventRepeat = 1;
        break;
      case 'StudyEventData':
        this.#event = value('redcap:UniqueEventName') || value('StudyEventOID').replace(/^Event\./, '');
        this.#eventRepeat = Number(value('StudyEventRepeatKey')) || 1;
        this.#hasForm = false;
        break;
      case 'FormData':
        this.#form = value('FormOID').replace(/^Form\./, '');
        this.#formRepeat = Number(value('FormRepeatKey')) || 1;
        this.#hasForm = true;
        this.#hasItem = false;
        break;
      case 'ItemData':
        this.#put(value('ItemOID'), value('Value'));
        break;
      case 'ItemDataBase64Binary':
        this.#file = {
          item: value('ItemOID'),
          name: value('redcap:DocName'),
          type: value('redcap:MimeType'),
        };
        this.#base64 = [];
        break;
    }
  }

  text(text: string): void {
    if (this.#file !== undefined) this.#base64.push(text);
  }

  close(name: string): void {
    switch (name) {
      case 'ItemDataBase64Binary':
        this.#closeFile();
        break;
      // A form without items, or an event without forms, was saved blank: it gets an empty row (choice).
      case 'FormData':
        if (!this.#hasItem) this.#rowAt(this.#place());
        break;
      case 'StudyEventData':
        if (!this.#hasForm) this.#rowAt({ instrument: '', instance: this.#eventInstance() });
        this.#event = '';
        this.#eventRepeat = 1;
        break;
      case 'SubjectData':
        this.#closeRecord();
        break;
    }
  }

  #put(item: string, value: string): void {
    this.#hasItem = true;
    if (item === this.layout.idField) return;
    if (STRUCTURE.has(item)) {
      this.#structure.set(item, value);
      return;
    }
    const place = this.#place();
    if (place.instrument === '' && this.#formRepeat > 1) this.lost += 1;
    else
      this.#rowAt(place).set(item, this.layout.hasTime(item) ? value.replace(DAY_AND_TIME, '$1 $2') : value);
  }

  #place(): { instrument: string; instance: number } {
    if (this.layout.isRepeatingInstrument(this.#event, this.#form)) {
      return { instrument: this.#form, instance: this.#formRepeat };
    }
    return { instrument: '', instance: this.#eventInstance() };
  }

  #eventInstance(): number {
    return this.layout.isRepeatingEvent(this.#event) ? this.#eventRepeat : 0;
  }

  #rowAt({ instrument, instance }: { instrument: string; instance: number }): Map<string, string> {
    const key = `${this.#event}\n${instrument}\n${instance}`;
    const known = this.#ofRecord.get(key);
    if (known !== undefined) return known;
    const row = new Map([[this.layout.idField, this.#record]]);
    if (this.#event !== '') row.set('redcap_event_name', this.#event);
    if (instrument !== '') row.set('redcap_repeat_instrument', instrument);
    if (instance > 0) row.set('redcap_repeat_instance', String(instance));
    this.#ofRecord.set(key, row);
    return row;
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    this.#put(file.item, file.name);
    const { instrument, instance } = this.#place();
    this.files.push({
      record: this.#record,
      event: this.#event,
      instrument,
      instance,
      field: file.item,
      name: file.name,
      type: file.type,
      bytes: Buffer.from(this.#base64.join(''), 'base64'),
    });
  }

  #closeRecord(): void {
    if (this.#ofRecord.size === 0) this.#rowAt({ instrument: '', instance: 0 });
    for (const row of this.#ofRecord.values()) {
      for (const [name, value] of this.#structure) row.set(name, value);
      this.#rows.push(row);
    }
  }
}
