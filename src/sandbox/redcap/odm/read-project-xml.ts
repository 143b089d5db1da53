import { InvalidRequestError } from '../../../domain/errors/caller-errors.js';
import { refusal } from '../../../domain/errors/refusal.js';
import {
  EVENT_NAME_RULE,
  isEventName,
  FIELD_NAME_RULE,
  isFieldName,
  INSTRUMENT_NAME_RULE,
  isInstrumentName,
} from '../../../domain/identifiers/names.js';
import type { SandboxProject } from '../project.js';
import { isDateTime, placeKey } from '../project-structure.js';
import type { Study, StudyFile } from '../study.js';
import { readDesign } from './design-reader.js';
import { readXml, type XmlElement } from './xml.js';

/** A project as read from its XML. */
interface ReadProject {
  /** The content of the file, without users: REDCap does not export them. */
  readonly study: Omit<Study, 'users'>;
  /** Messages about content that the sandbox does not support. */
  readonly notes: readonly string[];
}

/**
 * Reads a file from REDCap's "Download metadata & data as REDCap XML".
 *
 * @throws {InvalidRequestError} the document is not well-formed, has a document type declaration, is not a REDCap
 * project, or has a name that a data dictionary may not have
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export async function readProjectXml(document: string): Promise<ReadProject> {
  let data: ClinicalDataReader | undefined;
  const root = await readXml(document, (subject, before) => {
    data ??= new ClinicalDataReader(layoutOf(readDesign(before).study));
    data.read(subject);
  });
  const { study, unknown } = readDesign(root);
  if (study.fields.length === 0)
    throw refusal('project XML', 'must be a project XML of REDCap (CDISC ODM with its fields)');
  refuseNames(study);
  const { rows = [], files = [], lost = 0 } = data ?? {};
  return { study: { ...study, rows, files, hasStoredCalculations: true }, notes: notesOf(unknown, lost) };
}

/** Refuses what a data dictionary in CSV may not have either. */
function refuseNames({ fields, instruments, events, mappings }: Omit<Study, 'users' | 'rows'>): void {
  const forms = [...instruments.map(({ name }) => name), ...mappings.map(({ instrument }) => instrument)];
  const kinds = [
    { kind: 'a field', names: fields.map(({ name }) => name), fits: isFieldName, rule: FIELD_NAME_RULE },
    { kind: 'an instrument', names: forms, fits: isInstrumentName, rule: INSTRUMENT_NAME_RULE },
    {
      kind: 'an event',
      names: events.map(({ uniqueName }) => uniqueName),
      fits: isEventName,
      rule: EVENT_NAME_RULE,
    },
  ];
  const broken = kinds
    .filter(({ names, fits }) => !names.every((name) => fits(name)))
    .map(({ kind, rule }) => `${kind} whose name does not fit: it ${rule}`);
  if (broken.length > 0)
    throw new InvalidRequestError(
      broken.map((message) => ({ field: 'project XML', message: `has ${message}` })),
    );
}

/**
 * Reads the records of a document, for imports with `format=odm`.
 *
 * @throws {InvalidRequestError} the document is not well-formed, or has a document type declaration
 * @see docs/protocol/redcap.md 4.6 (inferred)
 */
export async function readOdmRecords(document: string, project: SandboxProject): Promise<readonly FlatRow[]> {
  const reader = new ClinicalDataReader(project);
  await readXml(document, (subject) => reader.read(subject));
  return reader.rows;
}

function layoutOf(study: Pick<Study, 'fields' | 'repeating' | 'events'>): DataLayout {
  const repeats = new Set(study.repeating.map(({ event, instrument }) => placeKey(event, instrument)));
  const times = new Set(study.fields.filter(isDateTime).map(({ name }) => name));
  return {
    idField: study.fields[0]?.name ?? 'record_id',
    isRepeatingInstrument: (event, instrument) =>
      instrument !== '' && repeats.has(placeKey(event, instrument)),
    isRepeatingEvent: (event) => repeats.has(placeKey(event, '')),
    hasTime: (item) => times.has(item),
  };
}

function notesOf(unknown: ReadonlyMap<string, number>, lost: number): string[] {
  return [
    ...[...unknown].map(
      ([name, count]) => `${name}: the sandbox has no place for them (${count} not loaded)`,
    ),
    ...(lost === 0
      ? []
      : [`${lost} values of repeat instances whose instrument does not repeat: not loaded`]),
  ];
}

/** The parts of a project that determine which row a value belongs to. */
interface DataLayout {
  readonly idField: string;
  isRepeatingInstrument(event: string, instrument: string): boolean;
  isRepeatingEvent(event: string): boolean;
  /** Whether the values of an item are dates with times. */
  hasTime(item: string): boolean;
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
class ClinicalDataReader {
  readonly rows: FlatRow[] = [];
  readonly files: StudyFile[] = [];
  /** Number of dropped values: those of later instances of instruments that do not repeat. */
  lost = 0;

  constructor(private readonly layout: DataLayout) {}

  read(subject: XmlElement): void {
    const rows = new RecordRows(subject.value('SubjectKey'), this.layout.idField);
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
    if (field === this.layout.idField) return;
    if (STRUCTURE.has(field)) rows.structure.set(field, value);
    else if (isLost) this.lost += 1;
    else rows.at(place).set(field, this.layout.hasTime(field) ? value.replace(DAY_AND_TIME, '$1 $2') : value);
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
