import { CHECKED_CHOICES, type Choice, FORM_STATUS_CHOICES } from '../../../domain/dictionary/choices.js';
import type { Field } from '../../../domain/dictionary/field.js';
import type { SandboxProject } from '../project.js';
import { eventLabel } from '../records/export-values.js';
import { fieldAttributes, odmDataType, odmWord } from './odm-words.js';
import { xmlAttributes, xmlText } from './xml.js';
import { checkboxColumnName, formStatusName } from '../../../domain/dictionary/export-column.js';

/**
 * Writes the lines of `MetaDataVersion`: events, instruments, fields and choices.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export function writeMetadata(project: SandboxProject, groups: readonly OdmItemGroup[]): string[] {
  const items = [...new Map(groups.flatMap((group) => group.items).map((item) => [item.oid, item])).values()];
  return [
    ...(project.isLongitudinal ? eventLines(project) : []),
    ...project.study.instruments.flatMap(({ name, label }) => [
      `\t<FormDef${xmlAttributes({ OID: `Form.${name}`, Name: label, Repeating: 'No', 'redcap:FormName': name })}>`,
      ...groups
        .filter(({ instrument }) => instrument === name)
        .map(({ oid }) => `\t\t<ItemGroupRef${xmlAttributes({ ItemGroupOID: oid, Mandatory: 'No' })}/>`),
      '\t</FormDef>',
    ]),
    ...groups.flatMap(groupLines),
    ...items.flatMap(itemLines),
    ...items.flatMap((item) => codeListLines(project, item)),
  ];
}

function eventLines(project: SandboxProject): string[] {
  const { events, arms, mappings } = project.study;
  const armNames = new Map(arms.map(({ number, name }) => [number, name]));
  return [
    '\t<Protocol>',
    ...events.map(
      ({ uniqueName }, index) =>
        `\t\t<StudyEventRef${xmlAttributes({ StudyEventOID: `Event.${uniqueName}`, OrderNumber: index + 1, Mandatory: 'No' })}/>`,
    ),
    '\t</Protocol>',
    ...events.flatMap((event) => [
      `\t<StudyEventDef${xmlAttributes({
        OID: `Event.${event.uniqueName}`,
        Name: eventLabel(project, event.uniqueName),
        Type: 'Common',
        Repeating: project.isRepeatingEvent(event.uniqueName) ? 'Yes' : 'No',
        'redcap:EventName': event.label,
        'redcap:CustomEventLabel': event.customLabel ?? '',
        'redcap:UniqueEventName': event.uniqueName,
        'redcap:ArmNum': event.arm,
        'redcap:ArmName': armNames.get(event.arm) ?? '',
        'redcap:DayOffset': event.dayOffset ?? 0,
        'redcap:OffsetMin': event.offsetMin ?? 0,
        'redcap:OffsetMax': event.offsetMax ?? 0,
      })}>`,
      ...mappings
        .filter((mapping) => mapping.event === event.uniqueName)
        .map(
          ({ instrument }, index) =>
            `\t\t<FormRef${xmlAttributes({ FormOID: `Form.${instrument}`, OrderNumber: index + 1, Mandatory: 'No', 'redcap:FormName': instrument })}/>`,
        ),
      '\t</StudyEventDef>',
    ]),
  ];
}

function groupLines({ oid, name, items }: OdmItemGroup): string[] {
  return [
    `\t<ItemGroupDef${xmlAttributes({ OID: oid, Name: name, Repeating: 'No' })}>`,
    ...items.map(
      (item) =>
        `\t\t<ItemRef${xmlAttributes({ ItemOID: item.oid, Mandatory: item.field?.isRequired === true ? 'Yes' : 'No', 'redcap:Variable': variableOf(item) })}/>`,
    ),
    '\t</ItemGroupDef>',
  ];
}

function variableOf({ oid, field }: OdmItem): string {
  return field?.name ?? oid;
}

function itemLines(item: OdmItem): string[] {
  const { oid, field, label, isFormStatus } = item;
  const hasChoices = isFormStatus || (field !== undefined && hasCodeList(field));
  return [
    `\t<ItemDef${xmlAttributes({ OID: oid, Name: oid, ...itemAttributes(item) })}>`,
    question(label),
    ...(hasChoices ? [`\t\t<CodeListRef${xmlAttributes({ CodeListOID: `${oid}.choices` })}/>`] : []),
    ...(field === undefined ? [] : rangeLines(field)),
    '\t</ItemDef>',
  ];
}

function itemAttributes({ oid, field, isFormStatus }: OdmItem): Record<string, string | number | undefined> {
  const ofStatus = { 'redcap:FieldType': 'select', 'redcap:SectionHeader': 'Form Status' };
  if (field === undefined) {
    const common = { DataType: 'text', Length: isFormStatus ? 1 : 999, 'redcap:Variable': oid };
    return { ...common, ...(isFormStatus && ofStatus) };
  }
  const isFloat = field.type === 'text' && field.validationType === 'number';
  const validation = field.type === 'text' ? odmWord(field.validationType) : field.validationType;
  return {
    DataType: odmDataType(field.type, field.validationType),
    Length: hasCodeList(field) ? 1 : 999,
    SignificantDigits: isFloat ? 1 : undefined,
    'redcap:Variable': field.name,
    'redcap:FieldType': odmWord(field.type),
    'redcap:TextValidationType': validation || undefined,
    ...fieldAttributes(field),
  };
}

const CODED: ReadonlySet<string> = new Set(['radio', 'dropdown', 'checkbox', 'yesno', 'truefalse']);

function hasCodeList(field: Field): boolean {
  return CODED.has(field.type);
}

/** Writes a label. If it has HTML tags, it is written twice: without them, and unchanged. */
function question(label: string): string {
  // A tag begins with a letter: `BMI <25 or >30` has none.
  const plain = label.replace(/<\/?[a-z][^<>]*>/gi, '');
  const formatted =
    plain === label
      ? ''
      : `<redcap:FormattedTranslatedText>${xmlText(label)}</redcap:FormattedTranslatedText>`;
  return `\t\t<Question><TranslatedText>${xmlText(plain)}</TranslatedText>${formatted}</Question>`;
}

function rangeLines({ validationMin, validationMax }: Field): string[] {
  const bounds = `(${validationMin || 'no limit'} - ${validationMax || 'no limit'})`;
  const text = `The value you provided is outside the suggested range ${bounds}. This value is admissible, but you may wish to double check it.`;
  const range = (comparator: string, value: string): string[] =>
    value === ''
      ? []
      : [
          `\t\t<RangeCheck Comparator="${comparator}" SoftHard="Soft">`,
          `\t\t\t<CheckValue>${xmlText(value)}</CheckValue>`,
          `\t\t\t<ErrorMessage><TranslatedText>${xmlText(text)}</TranslatedText></ErrorMessage>`,
          '\t\t</RangeCheck>',
        ];
  return [...range('GE', validationMin), ...range('LE', validationMax)];
}

/**
 * Writes the choices of an item. Each choice of a checkbox field has its own list, "Checked" or "Unchecked", with an
 * attribute that contains all choices of the field.
 */
function codeListLines(project: SandboxProject, { oid, field, isFormStatus }: OdmItem): string[] {
  if (field === undefined && !isFormStatus) return [];
  if (field !== undefined && !hasCodeList(field)) return [];
  const isCheckbox = field?.type === 'checkbox';
  const choices: readonly Choice[] =
    field === undefined ? FORM_STATUS_CHOICES : isCheckbox ? CHECKED : project.dictionary.choices(field);
  return [
    `\t<CodeList${xmlAttributes({
      OID: `${oid}.choices`,
      Name: oid,
      DataType: field === undefined ? 'text' : odmDataType(field.type, field.validationType),
      'redcap:Variable': field?.name ?? oid,
      'redcap:CheckboxChoices': isCheckbox ? field.choicesOrCalculations : undefined,
    })}>`,
    ...choices.map(
      ({ code, label }) =>
        `\t\t<CodeListItem${xmlAttributes({ CodedValue: code })}><Decode><TranslatedText>${xmlText(label)}</TranslatedText></Decode></CodeListItem>`,
    ),
    '\t</CodeList>',
  ];
}

const CHECKED = CHECKED_CHOICES.toReversed();

/**
 * One item of a project XML: a field, a choice of a checkbox field, a form status, or one of REDCap's extra columns.
 */
interface OdmItem {
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
  const { dictionary, missingCodes } = project.structure;
  const names = [
    ...dictionary.choices(field).map(({ code }) => checkboxColumnName(name, code)),
    ...dictionary.missingColumns(field, missingCodes).map((column) => column.name),
  ];
  // A checkbox field without choices still gets an item.
  return names.length === 0 ? [item(name)] : names.map(item);
}

function extra(oid: string, label: string): OdmItem {
  return { oid, field: undefined, label, sectionHeader: '', isFormStatus: false };
}
