import { CHECKED_CHOICES, type Choice, FORM_STATUS_CHOICES } from '../../../domain/dictionary/choices.js';
import type { Field } from '../../../domain/dictionary/field.js';
import type { SandboxProject } from '../project.js';
import { eventLabel } from '../records/export-values.js';
import { fieldAttributes, odmDataType, odmWord } from './odm-words.js';
import type { OdmItem, OdmItemGroup } from '../../../wire/write-odm.js';
import { xmlAttributes, xmlText } from '../../../wire/xml.js';

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
    ...groups.flatMap((group) => groupLines(project, group)),
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

function groupLines(project: SandboxProject, group: OdmItemGroup): string[] {
  const { oid, instrument, sectionHeader, items } = group;
  const name = sectionHeader || project.instrument(instrument)?.label;
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
