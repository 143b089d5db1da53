import { parseChoices } from '../../../domain/dictionary/choices.js';
import { BLANK_FIELD, type Field } from '../../../domain/dictionary/field.js';
import { isSwitch, settingNumber } from '../project-row.js';
import type { Study, StudyEvent, StudyProject, StudyRepeating, StudyReport, StudySurvey } from '../study.js';
import { uniqueGroupName } from '../unique-names.js';
import { apiWord, readFieldAttributes, readRole, SETTING_ELEMENTS } from './odm-words.js';
import type { XmlElement } from '../../../wire/xml.js';

/** The lists that the sandbox supports: their parent elements and their entries. */
const KNOWN = new Set([
  ...['DataAccessGroups', 'UserRoles', 'Surveys', 'Reports'].flatMap((list) => [
    `redcap:${list}Group`,
    `redcap:${list}`,
  ]),
  'redcap:RepeatingInstrumentsAndEvents',
  'redcap:RepeatingInstruments',
  'redcap:RepeatingInstrument',
  'redcap:RepeatingEvent',
  'redcap:FormattedTranslatedText',
]);

/** A project's design as read from its XML. */
interface ReadDesign {
  /** Everything but the records, and the users, which the file does not list. */
  readonly study: Omit<Study, 'users' | 'rows'>;
  /** The number of entries in the file that the sandbox does not support, by element name: alerts, queues, rules. */
  readonly unknown: ReadonlyMap<string, number>;
}

/** Returns the elements of a document that have a name. */
type Named = (name: string) => readonly XmlElement[];

/** Reads the design of a project XML: everything but the records. @see docs/protocol/redcap.md 9.8 (client) */
export function readDesign(root: XmlElement): ReadDesign {
  const elements = root.descendants();
  const named: Named = (name) => elements.filter((element) => element.name === name);
  const instruments = named('FormDef').map((form) => ({
    name: instrumentOf(form.value('redcap:FormName'), form.value('OID')),
    label: form.value('Name'),
  }));
  const names = instruments.map(({ name }) => name);
  const events = named('StudyEventDef').map(toEvent);
  const groupNames = new Set<string>();
  return {
    study: {
      project: readProject(named),
      fields: readFields(named),
      instruments,
      arms: armsOf(named),
      events,
      mappings: named('StudyEventDef').flatMap((event) =>
        event.descendants('FormRef').map((form) => ({
          event: toEvent(event).uniqueName,
          instrument: instrumentOf(form.value('redcap:FormName'), form.value('FormOID')),
        })),
      ),
      repeating: readRepeating(elements, events, names),
      roles: named('redcap:UserRoles').map(({ attributes }) => readRole(attributes, names)),
      groups: named('redcap:DataAccessGroups').map((group, index) => {
        const name = group.value('group_name');
        const uniqueName = uniqueGroupName(name, groupNames);
        groupNames.add(uniqueName);
        return { name, uniqueName, id: index + 1 };
      }),
      surveys: named('redcap:Surveys').map(toSurvey),
      reports: named('redcap:Reports').map(toReport),
    },
    unknown: unknownEntries(elements),
  };
}

/** Counts the entries of lists; an entry has attributes. */
function unknownEntries(elements: readonly XmlElement[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name, attributes } of elements) {
    if (name.startsWith('redcap:') && attributes.size > 0 && !KNOWN.has(name))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Returns the unique name of an instrument; without one, the OID without its prefix: `Form.demographics`. */
function instrumentOf(name: string, oid: string): string {
  return name || oid.replace(/^Form\./, '');
}

function readProject(named: Named): StudyProject {
  const variables = named('GlobalVariables').flatMap(({ children }) => children);
  const settings = new Map(
    variables
      .filter(({ name }) => name.startsWith('redcap:') && !name.endsWith('Group') && !KNOWN.has(name))
      .map(({ name, text }) => [name.slice('redcap:'.length), text]),
  );
  const setting = (element: string): string => settings.get(element) ?? '';
  const modelled = new Set(SETTING_ELEMENTS.filter(({ isOwn }) => isOwn).map(({ element }) => element));
  return {
    title: variables.findLast(({ name }) => name === 'StudyName')?.text ?? '',
    notes: setting('ProjectNotes'),
    purpose: settingNumber('purpose', setting('Purpose')),
    piFirstName: '',
    piLastName: '',
    surveysEnabled: setting('SurveysEnabled') === '1',
    missingDataCodes: setting('MissingDataCodes'),
    creationTime: (named('ODM')[0]?.value('CreationDateTime') ?? '').replace('T', ' ').slice(0, 19),
    settings: apiSettings(settings),
    // What the sandbox does not use, by the elements.
    others: Object.fromEntries([...settings].filter(([element]) => !modelled.has(element))),
  };
}

/** Returns the settings by their names in the API. A blank one that is on or off counts as not given. */
function apiSettings(given: ReadonlyMap<string, string>): Record<string, string | number> {
  const settings: Record<string, string | number> = {};
  for (const { element, setting } of SETTING_ELEMENTS) {
    const text = given.get(element);
    if (setting === '' || text === undefined) continue;
    if (!isSwitch(setting)) settings[setting] = text;
    else if (text !== '') settings[setting] = settingNumber(setting, text);
  }
  return settings;
}

function armNumberOf(event: XmlElement): number {
  return Number(event.value('redcap:ArmNum')) || 1;
}

function armsOf(named: Named): Study['arms'] {
  const arms = new Map(
    named('StudyEventDef').map((event) => [
      armNumberOf(event),
      event.value('redcap:ArmName') || `Arm ${armNumberOf(event)}`,
    ]),
  );
  return [...arms].map(([number, name]) => ({ number, name }));
}

function toEvent(event: XmlElement): StudyEvent {
  return {
    label: event.value('redcap:EventName') || event.value('Name'),
    arm: armNumberOf(event),
    uniqueName: event.value('redcap:UniqueEventName') || event.value('OID').replace(/^Event\./, ''),
    customLabel: event.value('redcap:CustomEventLabel'),
    dayOffset: Number(event.value('redcap:DayOffset')) || 0,
    offsetMin: Number(event.value('redcap:OffsetMin')) || 0,
    offsetMax: Number(event.value('redcap:OffsetMax')) || 0,
  };
}

/** Sorts by event, then by instrument, like the API. The document lists whole events first. */
function readRepeating(
  elements: readonly XmlElement[],
  events: readonly StudyEvent[],
  instruments: readonly string[],
): StudyRepeating[] {
  const event = ({ event }: StudyRepeating): number =>
    events.findIndex(({ uniqueName }) => uniqueName === event);
  const order = ({ instrument }: StudyRepeating): number => instruments.indexOf(instrument);
  return elements
    .filter(({ name }) => name === 'redcap:RepeatingInstrument' || name === 'redcap:RepeatingEvent')
    .map((entry) => ({
      event: entry.value('redcap:UniqueEventName'),
      instrument: entry.value('redcap:RepeatInstrument'),
      customLabel: entry.value('redcap:CustomLabel'),
    }))
    .sort((left, right) => event(left) - event(right) || order(left) - order(right))
    .map((entry) => (events.length > 0 ? entry : { ...entry, event: '' }));
}

/**
 * Reads the fields in order of instruments, item groups and items. A checkbox field has several items but is listed
 * once.
 */
function readFields(named: Named): Field[] {
  const byOid = (name: string): Map<string, XmlElement> =>
    new Map(named(name).map((element) => [element.value('OID'), element]));
  const [groups, items, lists] = [byOid('ItemGroupDef'), byOid('ItemDef'), byOid('CodeList')];
  const ofCheckbox = new Map(
    named('CodeList')
      .filter(({ attributes }) => attributes.has('redcap:CheckboxChoices'))
      .map((list) => [list.value('redcap:Variable'), list.value('redcap:CheckboxChoices')]),
  );
  const fields = new Map<string, Field>();
  for (const form of named('FormDef')) {
    const instrument = instrumentOf(form.value('redcap:FormName'), form.value('OID'));
    const references = form
      .descendants('ItemGroupRef')
      .flatMap((group) => groups.get(group.value('ItemGroupOID'))?.descendants('ItemRef') ?? []);
    for (const reference of references) {
      const oid = reference.value('ItemOID');
      const item = items.get(oid);
      const variable = item?.attributes.get('redcap:Variable') ?? oid;
      if (item?.attributes.has('redcap:FieldType') !== true || fields.has(variable)) continue;
      if (variable === `${instrument}_complete`) continue;
      const choices = { list: lists.get(`${oid}.choices`), ofCheckbox: ofCheckbox.get(variable) ?? '' };
      fields.set(variable, toField(item, variable, instrument, choices));
    }
  }
  return [...fields.values()];
}

interface ItemChoices {
  readonly list: XmlElement | undefined;
  /** The choices of a checkbox field as in the dictionary; each of its items has a list of its own. */
  readonly ofCheckbox: string;
}

function toField(item: XmlElement, name: string, instrument: string, choices: ItemChoices): Field {
  const textOf = (element: string): string => item.descendants(element)[0]?.text ?? '';
  const limit = (isMinimum: boolean): string =>
    item
      .descendants('RangeCheck')
      .filter((check) => (check.value('Comparator') === 'GE') === isMinimum)
      .at(-1)
      ?.descendants('CheckValue')[0]?.text ?? '';
  const type = apiWord(item.value('redcap:FieldType'));
  const validation = item.value('redcap:TextValidationType');
  return {
    ...BLANK_FIELD,
    ...readFieldAttributes(item.attributes),
    name,
    instrument,
    type,
    label: textOf('redcap:FormattedTranslatedText') || questionOf(item),
    choicesOrCalculations: choicesOf(item, type, choices),
    validationType: type === 'text' ? apiWord(validation) : validation,
    validationMin: limit(true),
    validationMax: limit(false),
  };
}

/** The error message of a limit has a translated text too. */
function questionOf(item: XmlElement): string {
  return item.descendants('Question')[0]?.descendants('TranslatedText')[0]?.text ?? '';
}

function choicesOf(item: XmlElement, type: string, { list, ofCheckbox }: ItemChoices): string {
  switch (type) {
    case 'checkbox':
      return writeChoices(parseChoices(ofCheckbox).map(({ code, label }) => [code, label]));
    case 'radio':
    case 'dropdown':
      return writeChoices(
        (list?.descendants('CodeListItem') ?? []).map((choice) => [
          choice.value('CodedValue'),
          choice.descendants('TranslatedText')[0]?.text ?? '',
        ]),
      );
    case 'slider':
      return item.value('redcap:SliderLabels');
    default:
      return item.value('redcap:Calculation');
  }
}

function writeChoices(choices: readonly (readonly [string, string])[]): string {
  return choices.map((choice) => choice.join(', ')).join(' | ');
}

function toSurvey({ attributes }: XmlElement): StudySurvey {
  const {
    form_name: instrument = '',
    title = '',
    save_and_return: returns,
    ...others
  } = Object.fromEntries(attributes);
  return { instrument, title, hasReturnCodes: returns === '1', others };
}

function toReport({ attributes }: XmlElement, index: number): StudyReport {
  const {
    title = '',
    unique_report_name: uniqueName = '',
    report_order: _order,
    advanced_logic: filterLogic = '',
    filter_type: filterType,
    redcap_reports_fields: fields = '',
    redcap_reports_filter_events: events = '',
    redcap_reports_filter_dags: groups = '',
    ...others
  } = Object.fromEntries(attributes);
  const names = (text: string): string[] => text.split(',').filter((name) => name !== '');
  return {
    id: index + 1,
    title,
    uniqueName,
    fields: names(fields),
    filterLogic,
    isFilteredByRecord: filterType === 'RECORD',
    filterEvents: names(events),
    filterGroups: names(groups),
    others,
  };
}
