import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import { ApiFailure } from './api-failure.js';
import type { ImportedRow } from './parse-rows.js';
import type { UploadedFile } from './parameters.js';
import { isDateTime, type OdmProject } from './write-odm.js';
import { readXml, type XmlElement } from './xml.js';

/** The parts of a project that determine which row a value belongs to. */
export type OdmLayout = Pick<OdmProject, 'dictionary' | 'isRepeatingInstrument' | 'isRepeatingEvent'>;

/**
 * Reads the records of a document, for imports with `format=odm`. It names the place of each value whatever the
 * parameter `type`.
 *
 * @throws {ApiFailure} 400: the document is not well-formed, has a document type declaration, or has values of a repeat
 *   instance where nothing repeats
 * @see docs/protocol/redcap.md 4.6 (inferred)
 */
export async function readOdmRecords(document: string, layout: OdmLayout): Promise<readonly ImportedRow[]> {
  const reader = new ClinicalDataReader(layout);
  try {
    await readXml(document, (subject) => reader.read(subject));
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new ApiFailure(400, 'The data being imported is not formatted correctly.');
  }
  if (reader.lost > 0)
    throw new ApiFailure(
      400,
      `${reader.lost} values are of repeat instances whose instrument does not repeat`,
    );
  return reader.rows.map((row) => new Map(Object.entries(row)));
}

/** One flat row, in the form that an import takes. */
type FlatRow = Readonly<Record<string, string>>;

/** The event and the repeat instance that the values of a form belong to. */
interface DataPlace {
  readonly event: string;
  readonly instrument: string;
  readonly instance: number;
}

/** @see docs/protocol/redcap.md 9.8 (client) */
const DAY_AND_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;

const STRUCTURE = new Set(['redcap_data_access_group', 'redcap_survey_identifier']);

/**
 * Reads the `SubjectData` of a document into flat rows, in document order.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export class ClinicalDataReader {
  readonly rows: FlatRow[] = [];
  readonly files: (DataPlace & UploadedFile & { readonly record: string; readonly field: string })[] = [];
  /** Number of dropped values: those of later instances of instruments that do not repeat. */
  lost = 0;

  readonly #idField: string;

  constructor(private readonly layout: OdmLayout) {
    this.#idField = layout.dictionary.recordIdField?.name ?? 'record_id';
  }

  read(subject: XmlElement): void {
    const rows = new RecordRows(subject.value('SubjectKey'), this.#idField);
    // A classic project has no events, and its forms stand in the record itself.
    if (subject.children.some(({ name }) => name === 'FormData')) this.#readForms(subject, '', 1, rows);
    for (const event of subject.descendants('StudyEventData')) {
      const name =
        event.value('redcap:UniqueEventName') || event.value('StudyEventOID').replace(/^Event\./, '');
      this.#readForms(event, name, Number(event.value('StudyEventRepeatKey')) || 1, rows);
    }
    for (const row of rows.all()) this.rows.push(row);
  }

  /** An event without forms, or a form without items, was saved blank: it gets an empty row (choice). */
  #readForms(around: XmlElement, event: string, eventRepeat: number, rows: RecordRows): void {
    const instance = this.layout.isRepeatingEvent(event) ? eventRepeat : 0;
    const forms = around.children.filter(({ name }) => name === 'FormData');
    if (forms.length === 0) rows.at({ event, instrument: '', instance });
    for (const form of forms) {
      const instrument = form.value('FormOID').replace(/^Form\./, '');
      const repeat = Number(form.value('FormRepeatKey')) || 1;
      const isRepeating = this.layout.isRepeatingInstrument(event, instrument);
      const place = isRepeating
        ? { event, instrument, instance: repeat }
        : { event, instrument: '', instance };
      const items = form.descendants().filter(({ name }) => name.startsWith('ItemData'));
      if (items.length === 0) rows.at(place);
      for (const item of items) this.#readItem(item, place, rows, !isRepeating && repeat > 1);
    }
  }

  #readItem(item: XmlElement, place: DataPlace, rows: RecordRows, isLost: boolean): void {
    const field = item.value('ItemOID');
    const isFile = item.name === 'ItemDataBase64Binary';
    const value = item.value(isFile ? 'redcap:DocName' : 'Value');
    if (isFile) {
      const [type, bytes] = [item.value('redcap:MimeType'), Buffer.from(item.text, 'base64')];
      this.files.push({ record: rows.record, ...place, field, name: value, type, bytes });
    }
    if (field === this.#idField) return;
    if (STRUCTURE.has(field)) rows.structure.set(field, value);
    else if (isLost) this.lost += 1;
    else rows.at(place).set(field, this.#hasTime(field) ? value.replace(DAY_AND_TIME, '$1 $2') : value);
  }

  #hasTime(name: string): boolean {
    const field = this.layout.dictionary.field(name);
    return field !== undefined && isDateTime(field);
  }
}

/** The rows of one record. */
class RecordRows {
  /** Values of the record as a whole, which are copied to each of its rows. */
  readonly structure = new Map<string, string>();
  readonly #rows = new Map<string, Map<string, string>>();

  constructor(
    readonly record: string,
    private readonly idField: string,
  ) {}

  /** Returns the row at a place, which is created if it does not exist. */
  at({ event, instrument, instance }: DataPlace): Map<string, string> {
    const key = `${event}\n${instrument}\n${instance}`;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = new Map([[this.idField, this.record]]);
    if (event !== '') row.set('redcap_event_name', event);
    if (instrument !== '') row.set('redcap_repeat_instrument', instrument);
    if (instance > 0) row.set('redcap_repeat_instance', String(instance));
    this.#rows.set(key, row);
    return row;
  }

  /** A record without any row has a blank one. */
  all(): FlatRow[] {
    if (this.#rows.size === 0) this.at({ event: '', instrument: '', instance: 0 });
    return [...this.#rows.values()].map((row) => Object.fromEntries([...row, ...this.structure]));
  }
}
