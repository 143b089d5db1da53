import { formStatusName } from '../../../domain/dictionary/export-column.js';
import type { Field } from '../../../domain/dictionary/field.js';
import type { SandboxProject } from '../project.js';

/**
 * One item of a project XML: a field, a choice of a checkbox field, a form status, or one of REDCap's extra columns.
 */
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
  readonly name: string;
  readonly items: readonly OdmItem[];
}

/**
 * Returns the item groups of a project, in dictionary order. The data access group and the survey identifier follow the
 * record ID, and a survey's timestamp precedes its fields.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export function itemGroupsOf(project: SandboxProject): OdmItemGroup[] {
  return project.study.instruments.flatMap(({ name, label }) => {
    const items = itemsOf(project, name);
    const groups: { header: string; items: OdmItem[] }[] = [];
    for (const item of items) {
      const last = groups.at(-1);
      if (last?.header === item.sectionHeader) last.items.push(item);
      else groups.push({ header: item.sectionHeader, items: [item] });
    }
    return groups.map(({ header, items: own }) => ({
      oid: `${name}.${own[0]?.oid ?? ''}`,
      instrument: name,
      name: header === '' ? label : header,
      items: own,
    }));
  });
}

function itemsOf(project: SandboxProject, instrument: string): OdmItem[] {
  const timestamp =
    project.survey(instrument) === undefined ? [] : [extra(`${instrument}_timestamp`, 'Survey Timestamp')];
  const fields = project.study.fields.filter((field) => field.instrument === instrument);
  const [idField] = fields[0]?.name === project.idField ? fields : [];
  return [
    ...(idField === undefined ? [] : [...fieldItems(project, idField), ...structuralItems(project)]),
    ...timestamp,
    ...fields.filter((field) => field !== idField).flatMap((field) => fieldItems(project, field)),
    { ...extra(formStatusName(instrument), 'Complete?'), sectionHeader: 'Form Status', isFormStatus: true },
  ];
}

function structuralItems(project: SandboxProject): OdmItem[] {
  return [
    ...(project.groups.length > 0 ? [extra('redcap_data_access_group', 'Data Access Group')] : []),
    ...(project.study.project.surveysEnabled ? [extra('redcap_survey_identifier', 'Survey Identifier')] : []),
  ];
}

function fieldItems(project: SandboxProject, field: Field): OdmItem[] {
  const { name, label, sectionHeader } = field;
  const item = (oid: string): OdmItem => ({ oid, field, label, sectionHeader, isFormStatus: false });
  if (field.type !== 'checkbox') return [item(name)];
  const columns = project.columns.filter((column) => column.field === field);
  // A checkbox field without choices still gets an item.
  return columns.length === 0 ? [item(name)] : columns.map((column) => item(column.name));
}

function extra(oid: string, label: string): OdmItem {
  return { oid, field: undefined, label, sectionHeader: '', isFormStatus: false };
}
