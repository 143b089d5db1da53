import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { ContentCall } from '../content.js';
import {
  documentPlaceOf,
  rowsToExport,
  selectColumns,
  type SelectedRow,
} from '../records/export-selection.js';
import type { SandboxProject } from '../project.js';
import type { StoredRecord } from '../records/record-store.js';
import { itemGroupsOf, type OdmItemGroup } from './write-metadata.js';
import { xmlAttributes } from './xml.js';

/**
 * Selects the records that a call requests and its caller may export, as data of a document.
 *
 * @throws {ApiFailure} 400 for unknown fields, forms and events, and for invalid logic
 * @see docs/protocol/redcap.md 9.8 (doc), 4.7 (doc)
 */
export function clinicalDataOf(
  call: ContentCall,
  { hasFiles }: { readonly hasFiles: boolean },
): ClinicalData {
  const { parameters, caller } = call;
  const { columns, surveyCells } = selectColumns(call);
  const isFile = ({ field, instrument }: ExportColumn): boolean =>
    field?.type === 'file' && caller.exportRight(instrument) === 1;
  return {
    rows: rowsToExport(call),
    columns: new Set(columns.map(({ name }) => name)),
    hasGroups: parameters.flag('exportDataAccessGroups') && caller.group === '',
    surveyCells,
    files: new Set(hasFiles ? columns.filter(isFile).map(({ name }) => name) : []),
  };
}

/** The record data of a document. */
export interface ClinicalData {
  readonly rows: readonly SelectedRow[];
  /** Names of export columns. The record ID is always written. */
  readonly columns: ReadonlySet<string>;
  readonly hasGroups: boolean;
  /** The columns for survey identifier and survey timestamps. */
  readonly surveyCells: ReadonlySet<string>;
  /** Columns of files that are written with their content. For other files, only the name is written. */
  readonly files: ReadonlySet<string>;
}

/**
 * Writes the lines of `ClinicalData`: each record with its events, their forms and their values. Blank values have no
 * item.
 *
 * @see docs/protocol/redcap.md 9.8 (client); the meaning of empty elements is ours (choice)
 */
export function writeClinicalData(project: SandboxProject, data: ClinicalData): string[] {
  const writer = new RowWriter(project, data, itemGroupsOf(project));
  const lines: string[] = [];
  let record: StoredRecord | undefined;
  let event: string | undefined;
  const closeEvent = (): void => {
    if (event !== undefined && project.isLongitudinal) lines.push('\t\t</StudyEventData>');
    event = undefined;
  };
  for (const selected of data.rows) {
    const isFirst = selected.record !== record;
    if (isFirst) {
      closeEvent();
      if (record !== undefined) lines.push('\t</SubjectData>');
      record = selected.record;
      lines.push(
        `\t<SubjectData${xmlAttributes({ SubjectKey: record.id, 'redcap:RecordIdField': project.idField })}>`,
      );
    }
    const { row } = selected;
    const repeat = row.instrument === '' && row.instance > 0 ? row.instance : 1;
    const key = `${row.event}\n${repeat}`;
    if (key !== event) {
      closeEvent();
      event = key;
      if (project.isLongitudinal) {
        lines.push(
          `\t\t<StudyEventData${xmlAttributes({ StudyEventOID: `Event.${row.event}`, StudyEventRepeatKey: repeat, 'redcap:UniqueEventName': row.event })}>`,
        );
      }
    }
    lines.push(...writer.write(selected, isFirst));
  }
  closeEvent();
  if (record !== undefined) lines.push('\t</SubjectData>');
  return lines;
}

/** @see docs/protocol/redcap.md 9.8 (client): a date with a time is that of ISO 8601 */
const DAY_AND_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)/;

/** Writes the forms of one row. */
class RowWriter {
  readonly #groupOf: ReadonlyMap<string, string>;
  /** Column names by instrument, in dictionary order. */
  readonly #items: readonly (readonly [instrument: string, items: readonly string[]])[];

  constructor(
    private readonly project: SandboxProject,
    private readonly data: ClinicalData,
    groups: readonly OdmItemGroup[],
  ) {
    this.#groupOf = new Map(groups.flatMap(({ oid, items }) => items.map((item) => [item.oid, oid])));
    this.#items = project.study.instruments.map(({ name }) => [
      name,
      groups
        .filter(({ instrument }) => instrument === name)
        .flatMap(({ items }) => items.map(({ oid }) => oid))
        .filter((oid) => data.columns.has(oid) || data.surveyCells.has(oid))
        .filter((oid) => oid !== 'redcap_survey_identifier'),
    ]);
  }

  /**
   * @param isFirst whether the row is the record's first, on which its ID, group and survey identifier are always
   * written
   */
  write(selected: SelectedRow, isFirst: boolean): string[] {
    const { record, row } = selected;
    const { project } = this;
    const idForm = project.study.fields[0]?.instrument ?? '';
    const key = row.instrument === '' ? 1 : row.instance;
    const lines: string[] = [];
    let hasValues = false;
    for (const [instrument, items] of this.#items) {
      const values = items.flatMap((name) => this.#item(selected, name));
      const structure =
        instrument === idForm && (isFirst || values.length > 0) ? this.#structure(record) : [];
      hasValues ||= values.length > 0;
      // On the row of another instrument, the record's own items go into a form element of their own.
      if (structure.length > 0 && row.instrument !== '' && row.instrument !== instrument) {
        lines.push(...this.#form(instrument, 1, structure));
        lines.push(...(values.length === 0 ? [] : this.#form(instrument, key, values)));
      } else if (structure.length + values.length > 0) {
        lines.push(...this.#form(instrument, key, [...structure, ...values]));
      }
    }
    // A row without values is written as a form without items.
    return hasValues
      ? lines
      : [...lines, ...this.#form(row.instrument || this.#firstForm(row.event), key, [])];
  }

  /** Returns an instrument that does not repeat at an event, preferably one designated for it. */
  #firstForm(event: string): string {
    const { project } = this;
    const single = project.study.instruments.filter(
      ({ name }) => !project.isRepeatingInstrument(event, name),
    );
    const mapped = single.find(({ name }) => project.isMapped(event, name));
    return (mapped ?? single[0])?.name ?? '';
  }

  #structure({ id, group, surveyIdentifier }: StoredRecord): [string, string][] {
    const item = (name: string, value: string): [string, string] => [
      this.#groupOf.get(name) ?? '',
      `<ItemData${xmlAttributes({ ItemOID: name, Value: value })}/>`,
    ];
    return [
      item(this.project.idField, id),
      ...(this.data.hasGroups && group !== '' ? [item('redcap_data_access_group', group)] : []),
      ...(this.data.surveyCells.has('redcap_survey_identifier') && surveyIdentifier !== ''
        ? [item('redcap_survey_identifier', surveyIdentifier)]
        : []),
    ];
  }

  #item(selected: SelectedRow, name: string): [string, string][] {
    const stored = selected.row.values.get(name);
    const value = this.project.hasTime(name) ? stored?.replace(DAY_AND_TIME, '$1T$2') : stored;
    if (value === undefined || value === '' || name === this.project.idField) return [];
    const document = this.data.files.has(name)
      ? this.project.documents.at(documentPlaceOf(selected, name))
      : undefined;
    const element =
      document === undefined
        ? `<ItemData${xmlAttributes({ ItemOID: name, Value: value })}/>`
        : `<ItemDataBase64Binary${xmlAttributes({ ItemOID: name, 'redcap:DocName': document.name, 'redcap:MimeType': document.type })}><![CDATA[${document.bytes.toString('base64')}]]></ItemDataBase64Binary>`;
    return [[this.#groupOf.get(name) ?? '', element]];
  }

  #form(instrument: string, repeatKey: number, items: readonly (readonly [string, string])[]): string[] {
    const lines: string[] = [];
    let open: string | undefined;
    for (const [group, element] of items) {
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
