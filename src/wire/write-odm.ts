import type { Choice } from '../domain/dictionary/choices.js';
import type { DataDictionary } from '../domain/dictionary/data-dictionary.js';
import { checkboxColumnName, formStatusName, groupBy } from '../domain/dictionary/export-column.js';
import type { Field } from '../domain/dictionary/field.js';
import type { UploadedFile } from './parameters.js';
import { XML_PROLOG } from './write-answer.js';
import { xmlAttributes } from './xml.js';

/** What records are written as, and read from, in ODM: the fields of a project and where its forms stand. */
export interface OdmProject {
  readonly dictionary: DataDictionary;
  readonly missingCodes: readonly Choice[];
  readonly isLongitudinal: boolean;
  /** Whether an instrument is designated for an event. The event is empty in a classic project. */
  isMapped(event: string, instrument: string): boolean;
  isRepeatingInstrument(event: string, instrument: string): boolean;
  isRepeatingEvent(event: string): boolean;
}

/** What a document says of itself. */
export interface OdmHead {
  /** The title of the project. */
  readonly title: string;
  /** The REDCap version that the document names as its source. */
  readonly version: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly now: string;
}

/** A row of a flat export with raw values and no status of forms that were never saved; files as names, or whole. */
export type OdmRow = Readonly<Record<string, string | number | UploadedFile>>;

/** The first lines of a document. @see docs/protocol/redcap.md 9.8 (client) */
export function odmOpening({ title, version, now }: OdmHead): string[] {
  const at = now.replace(' ', 'T');
  return [
    XML_PROLOG,
    `<ODM${xmlAttributes({
      xmlns: 'http://www.cdisc.org/ns/odm/v1.3',
      'xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#',
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xmlns:redcap': 'https://projectredcap.org',
      'xsi:schemaLocation': 'http://www.cdisc.org/ns/odm/v1.3 schema/odm/ODM1-3-1.xsd',
      ODMVersion: '1.3.1',
      FileOID: '000-00-0000',
      FileType: 'Snapshot',
      Description: title,
      AsOfDateTime: at,
      CreationDateTime: at,
      SourceSystem: 'REDCap',
      SourceSystemVersion: version,
    })}>`,
  ];
}

/**
 * Returns `Project.DoctestProject` and `Metadata.DoctestProject_2025-05-02_1206`: up to 30 letters and digits of the
 * title.
 */
export function odmOids({ title, now }: OdmHead): { study: string; metadata: string } {
  const stem = title
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .slice(0, 30);
  const [day = '', time = ''] = now.split(' ');
  return {
    study: `Project.${stem}`,
    metadata: `Metadata.${stem}_${day}_${time.slice(0, 5).replace(':', '')}`,
  };
}

/** One item: a field, a choice of a checkbox field, a form status, or one of REDCap's extra columns. */
export interface OdmItem {
  /** The `ItemOID`, which is the name of the export column. */
  readonly oid: string;
  /** The field; undefined for a form status or an extra column. */
  readonly field: Field | undefined;
  readonly label: string;
  readonly sectionHeader: string;
  readonly isFormStatus: boolean;
}

/** A group of items: consecutive items of one instrument under the same section header. */
export interface OdmItemGroup {
  /** The instrument and the first item: `demographics.first_name`. */
  readonly oid: string;
  readonly instrument: string;
  readonly sectionHeader: string;
  readonly items: readonly OdmItem[];
}

const GROUP = 'redcap_data_access_group';
const SURVEY_IDENTIFIER = 'redcap_survey_identifier';

/**
 * Returns the item groups of a project, in dictionary order. The data access group and the survey identifier follow the
 * record ID, and a survey's timestamp precedes its fields.
 *
 * @param extras which of these a document has
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export function itemGroupsOf(project: OdmProject, extras: ReadonlySet<string>): OdmItemGroup[] {
  const { fields, recordIdField } = project.dictionary;
  const extra = (oid: string, label: string): OdmItem[] =>
    extras.has(oid) ? [{ oid, field: undefined, label, sectionHeader: '', isFormStatus: false }] : [];
  return [...groupBy(fields, ({ instrument }) => instrument)].flatMap(([instrument, own]) => {
    const isFirst = own[0] === recordIdField;
    const status = formStatusName(instrument);
    const items = [
      ...(isFirst ? own.slice(0, 1) : []).flatMap((field) => fieldItems(project, field)),
      ...(isFirst
        ? [...extra(GROUP, 'Data Access Group'), ...extra(SURVEY_IDENTIFIER, 'Survey Identifier')]
        : []),
      ...extra(`${instrument}_timestamp`, 'Survey Timestamp'),
      ...own.slice(isFirst ? 1 : 0).flatMap((field) => fieldItems(project, field)),
      { oid: status, field: undefined, label: 'Complete?', sectionHeader: 'Form Status', isFormStatus: true },
    ];
    const groups: { sectionHeader: string; items: OdmItem[] }[] = [];
    for (const item of items) {
      const last = groups.at(-1);
      if (last?.sectionHeader === item.sectionHeader) last.items.push(item);
      else groups.push({ sectionHeader: item.sectionHeader, items: [item] });
    }
    return groups.map((group) => ({
      ...group,
      oid: `${instrument}.${group.items[0]?.oid ?? ''}`,
      instrument,
    }));
  });
}

function fieldItems({ dictionary, missingCodes }: OdmProject, field: Field): OdmItem[] {
  const { name, label, sectionHeader } = field;
  const item = (oid: string): OdmItem => ({ oid, field, label, sectionHeader, isFormStatus: false });
  if (field.type !== 'checkbox') return [item(name)];
  const names = [
    ...dictionary.choices(field).map(({ code }) => checkboxColumnName(name, code)),
    ...dictionary.missingColumns(field, missingCodes).map((column) => column.name),
  ];
  // A checkbox field without choices still gets an item.
  return names.length === 0 ? [item(name)] : names.map(item);
}

/** @see docs/protocol/redcap.md 9.8 (client): a date with a time is that of ISO 8601 */
const DAY_AND_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)/;

/** Whether the values of a field are dates with times. */
export function isDateTime({ type, validationType }: Field): boolean {
  return type === 'text' && validationType.startsWith('datetime');
}

/**
 * Writes `ClinicalData` row by row: each record with its events, their forms and their values. Blank values have no item,
 * and neither have the boxes of a form without another value.
 *
 * @see docs/protocol/redcap.md 9.8 (client); the meaning of empty elements is ours (choice)
 */
export class OdmRecords {
  readonly #idField: Field | undefined;
  #groups: ReadonlyMap<string, string> | undefined;
  /** The items of each instrument, in dictionary order, without those of the record itself. */
  #forms: readonly (readonly [instrument: string, items: readonly OdmItem[]])[] = [];
  #record: string | undefined;
  #event: string | undefined;

  /** @param groups those that the document has declared; by default those of the columns of the first row */
  constructor(
    private readonly project: OdmProject,
    private readonly head: OdmHead,
    groups?: readonly OdmItemGroup[],
  ) {
    this.#idField = project.dictionary.recordIdField;
    if (groups !== undefined) this.#declare(groups);
  }

  /** The line before the first row. */
  get opening(): string {
    const { study, metadata } = odmOids(this.head);
    return `<ClinicalData${xmlAttributes({ StudyOID: study, MetaDataVersionOID: metadata })}>`;
  }

  /** Returns the lines of the next row. The rows of a record follow each other. */
  row(row: OdmRow): string[] {
    if (this.#groups === undefined) {
      const isExtra = (name: string): boolean => this.project.dictionary.column(name) === undefined;
      this.#declare(itemGroupsOf(this.project, new Set(Object.keys(row).filter(isExtra))));
    }
    const record = textIn(row, this.#idField?.name ?? '');
    const isFirst = record !== this.#record;
    const name = textIn(row, 'redcap_event_name');
    const repeat = textIn(row, 'redcap_repeat_instrument') === '' ? instanceOf(row) : 1;
    const event = `${name}\n${repeat}`;
    const isSameEvent = !isFirst && event === this.#event;
    const lines = [
      ...(isSameEvent ? [] : this.#endOfEvent()),
      ...(isFirst ? [...this.#endOfRecord(), this.#startOf(record)] : []),
      ...(isSameEvent || !this.project.isLongitudinal
        ? []
        : [
            `\t\t<StudyEventData${xmlAttributes({ StudyEventOID: `Event.${name}`, StudyEventRepeatKey: repeat, 'redcap:UniqueEventName': name })}>`,
          ]),
      ...this.#formsOf(row, isFirst),
    ];
    this.#record = record;
    this.#event = event;
    return lines;
  }

  /** Returns the lines after the last row. */
  closing(): string[] {
    return [...this.#endOfEvent(), ...this.#endOfRecord(), '</ClinicalData>'];
  }

  #declare(groups: readonly OdmItemGroup[]): void {
    this.#groups = new Map(groups.flatMap(({ oid, items }) => items.map((item) => [item.oid, oid])));
    const ofRecord = [this.#idField?.name, GROUP, SURVEY_IDENTIFIER];
    this.#forms = [...groupBy(groups, ({ instrument }) => instrument)].map(([instrument, own]) => [
      instrument,
      own.flatMap(({ items }) => items).filter(({ oid }) => !ofRecord.includes(oid)),
    ]);
  }

  #startOf(record: string): string {
    return `\t<SubjectData${xmlAttributes({ SubjectKey: record, 'redcap:RecordIdField': this.#idField?.name })}>`;
  }

  #endOfRecord(): string[] {
    return this.#record === undefined ? [] : ['\t</SubjectData>'];
  }

  #endOfEvent(): string[] {
    return this.#event === undefined || !this.project.isLongitudinal ? [] : ['\t\t</StudyEventData>'];
  }

  /** @param isFirst whether the row is the record's first, on which what is of the record itself is always written */
  #formsOf(row: OdmRow, isFirst: boolean): string[] {
    const own = textIn(row, 'redcap_repeat_instrument');
    const key = own === '' ? 1 : instanceOf(row);
    const lines: string[] = [];
    let hasValues = false;
    for (const [instrument, items] of this.#forms) {
      const values = this.#valuesOf(row, items);
      const isOfRecord = instrument === this.#idField?.instrument && (isFirst || values.length > 0);
      const structure = isOfRecord ? this.#structureOf(row) : [];
      hasValues ||= values.length > 0;
      // On the row of another instrument, the record's own items go into a form element of their own.
      if (structure.length > 0 && own !== '' && own !== instrument) {
        lines.push(...this.#form(instrument, 1, structure));
        lines.push(...(values.length === 0 ? [] : this.#form(instrument, key, values)));
      } else if (structure.length + values.length > 0) {
        lines.push(...this.#form(instrument, key, [...structure, ...values]));
      }
    }
    // A row without values is written as a form without items.
    return hasValues
      ? lines
      : [...lines, ...this.#form(own || this.#firstForm(textIn(row, 'redcap_event_name')), key, [])];
  }

  /** Returns an instrument that does not repeat at an event, preferably one designated for it. */
  #firstForm(event: string): string {
    const { project } = this;
    const single = project.dictionary.instruments.filter(
      (name) => !project.isRepeatingInstrument(event, name),
    );
    return single.find((name) => project.isMapped(event, name)) ?? single[0] ?? '';
  }

  #structureOf(row: OdmRow): ItemElement[] {
    return [this.#idField?.name ?? '', GROUP, SURVEY_IDENTIFIER]
      .map((name) => [name, textIn(row, name)] as const)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, `<ItemData${xmlAttributes({ ItemOID: name, Value: value })}/>`]);
  }

  #valuesOf(row: OdmRow, items: readonly OdmItem[]): ItemElement[] {
    let isSaved = false;
    const values = items.flatMap(({ oid, field }): ItemElement[] => {
      const cell = cellIn(row, oid);
      if (cell === '') return [];
      isSaved ||= field?.type !== 'checkbox' || (cell !== '0' && cell !== 0);
      if (typeof cell === 'object')
        return [
          [
            oid,
            `<ItemDataBase64Binary${xmlAttributes({ ItemOID: oid, 'redcap:DocName': cell.name, 'redcap:MimeType': cell.type })}><![CDATA[${cell.bytes.toString('base64')}]]></ItemDataBase64Binary>`,
          ],
        ];
      const value =
        field !== undefined && isDateTime(field) ? String(cell).replace(DAY_AND_TIME, '$1T$2') : cell;
      return [[oid, `<ItemData${xmlAttributes({ ItemOID: oid, Value: value })}/>`]];
    });
    return isSaved ? values : [];
  }

  #form(instrument: string, repeatKey: number, items: readonly ItemElement[]): string[] {
    const lines: string[] = [];
    let open: string | undefined;
    for (const [oid, element] of items) {
      const group = this.#groups?.get(oid) ?? '';
      if (group !== open) {
        if (open !== undefined) lines.push('\t\t\t\t</ItemGroupData>');
        lines.push(`\t\t\t\t<ItemGroupData${xmlAttributes({ ItemGroupOID: group, ItemGroupRepeatKey: 1 })}>`);
        open = group;
      }
      lines.push(`\t\t\t\t\t${element}`);
    }
    if (open !== undefined) lines.push('\t\t\t\t</ItemGroupData>');
    return [
      `\t\t\t<FormData${xmlAttributes({ FormOID: `Form.${instrument}`, FormRepeatKey: repeatKey })}>`,
      ...lines,
      '\t\t\t</FormData>',
    ];
  }
}

type ItemElement = [oid: string, element: string];

/** The repeat instance of a row; 1 where nothing repeats. */
function instanceOf(row: OdmRow): number {
  return Number(textIn(row, 'redcap_repeat_instance')) || 1;
}

function textIn(row: OdmRow, name: string): string {
  const cell = cellIn(row, name);
  return typeof cell === 'object' ? '' : String(cell);
}

function cellIn(row: OdmRow, name: string): OdmRow[string] {
  return (Object.hasOwn(row, name) ? row[name] : undefined) ?? '';
}
