import { isSwitch, settingNumber } from '../project-row.js';
import type { Study, StudyEvent, StudyMapping, StudyRepeating, StudyReport, StudySurvey } from '../study.js';
import { uniqueGroupName } from '../unique-names.js';
import { FieldsReader, instrumentOf } from './fields-reader.js';
import type { XmlListener } from './xml.js';
import { readRole, SETTING_ELEMENTS } from './odm-words.js';

type Attributes = ReadonlyMap<string, string>;

const SURVEY_OWN = new Set(['form_name', 'title', 'save_and_return']);
const REPORT_OWN = new Set([
  'title',
  'unique_report_name',
  'report_order',
  'advanced_logic',
  'filter_type',
  'redcap_reports_fields',
  'redcap_reports_filter_events',
  'redcap_reports_filter_dags',
]);

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

/** Reads the `Study` element of a project XML: everything but the records. @see docs/protocol/redcap.md 9.8 (client) */
export class DesignReader implements XmlListener {
  readonly #path: string[] = [];
  #text = '';
  #created = '';
  #title = '';
  readonly #settings = new Map<string, string>();
  readonly #fields = new FieldsReader();
  readonly #events: StudyEvent[] = [];
  readonly #arms = new Map<number, string>();
  readonly #mappings: StudyMapping[] = [];
  readonly #repeating: StudyRepeating[] = [];
  readonly #groups: string[] = [];
  readonly #roles: Attributes[] = [];
  readonly #surveys: Attributes[] = [];
  readonly #reports: Attributes[] = [];
  readonly #unknown = new Map<string, number>();

  open(name: string, attributes: Attributes): void {
    this.#path.push(name);
    this.#text = '';
    this.#fields.open(name, attributes);
    const value = (key: string): string => attributes.get(key) ?? '';
    switch (name) {
      case 'ODM':
        this.#created = value('CreationDateTime').replace('T', ' ').slice(0, 19);
        break;
      case 'redcap:DataAccessGroups':
        this.#groups.push(value('group_name'));
        break;
      case 'redcap:UserRoles':
        this.#roles.push(attributes);
        break;
      case 'redcap:Surveys':
        this.#surveys.push(attributes);
        break;
      case 'redcap:Reports':
        this.#reports.push(attributes);
        break;
      case 'redcap:RepeatingInstrument':
      case 'redcap:RepeatingEvent':
        this.#repeating.push({
          uniqueEventName: value('redcap:UniqueEventName'),
          instrument: value('redcap:RepeatInstrument'),
          customLabel: value('redcap:CustomLabel'),
        });
        break;
      case 'StudyEventDef':
        this.#openEvent(value);
        break;
      case 'FormRef':
        this.#mappings.push({
          uniqueEventName: this.#events.at(-1)?.uniqueName ?? '',
          instrument: instrumentOf(value('redcap:FormName'), value('FormOID')),
        });
        break;
      default:
        this.#openOther(name, attributes);
    }
  }

  text(text: string): void {
    this.#text += text;
  }

  close(name: string): void {
    this.#path.pop();
    const parent = this.#path.at(-1);
    if (parent === 'GlobalVariables') this.#closeSetting(name);
    else this.#fields.close(name, parent, this.#text);
    this.#text = '';
  }

  /** The number of entries in the file that the sandbox does not support, by element name. */
  get unknown(): ReadonlyMap<string, number> {
    return this.#unknown;
  }

  /** Returns everything but the records, and the users, which the file does not list. */
  toStudy(): Omit<Study, 'users' | 'rows'> {
    const setting = (element: string): string => this.#settings.get(element) ?? '';
    const isLongitudinal = this.#events.length > 0;
    const { instruments } = this.#fields;
    const instrumentNames = instruments.map(({ name }) => name);
    const groupNames = new Set<string>();
    return {
      project: {
        title: this.#title,
        notes: setting('ProjectNotes'),
        purpose: settingNumber('purpose', setting('Purpose')),
        piFirstName: '',
        piLastName: '',
        surveysEnabled: setting('SurveysEnabled') === '1',
        missingDataCodes: setting('MissingDataCodes'),
        creationTime: this.#created,
        settings: this.#apiSettings(),
        others: this.#otherSettings(),
      },
      fields: this.#fields.toFields(),
      instruments,
      arms: [...this.#arms].map(([number, name]) => ({ number, name })),
      events: this.#events,
      mappings: this.#mappings,
      repeating: this.#repeatingInOrder(isLongitudinal, instrumentNames),
      roles: this.#roles.map((attributes) => readRole(attributes, instrumentNames)),
      groups: this.#groups.map((name, index) => {
        const uniqueName = uniqueGroupName(name, groupNames);
        groupNames.add(uniqueName);
        return { name, uniqueName, id: index + 1 };
      }),
      surveys: this.#surveys.map(toSurvey),
      reports: this.#reports.map(toReport),
    };
  }

  /** Sorts by event, then by instrument, like the API. The document lists whole events first. */
  #repeatingInOrder(isLongitudinal: boolean, instruments: readonly string[]): StudyRepeating[] {
    const event = ({ uniqueEventName }: StudyRepeating): number =>
      this.#events.findIndex(({ uniqueName }) => uniqueName === uniqueEventName);
    const order = ({ instrument }: StudyRepeating): number => instruments.indexOf(instrument);
    return this.#repeating
      .toSorted((left, right) => event(left) - event(right) || order(left) - order(right))
      .map((entry) => (isLongitudinal ? entry : { ...entry, uniqueEventName: '' }));
  }

  #openEvent(value: (key: string) => string): void {
    const armNumber = Number(value('redcap:ArmNum')) || 1;
    this.#arms.set(armNumber, value('redcap:ArmName') || `Arm ${armNumber}`);
    this.#events.push({
      label: value('redcap:EventName') || value('Name'),
      armNumber,
      uniqueName: value('redcap:UniqueEventName') || value('OID').replace(/^Event\./, ''),
      customLabel: value('redcap:CustomEventLabel'),
      dayOffset: Number(value('redcap:DayOffset')) || 0,
      offsetMin: Number(value('redcap:OffsetMin')) || 0,
      offsetMax: Number(value('redcap:OffsetMax')) || 0,
    });
  }

  /** Counts the entries of REDCap lists that the sandbox does not support: alerts, queues, rules. */
  #openOther(name: string, attributes: Attributes): void {
    const isEntry = name.startsWith('redcap:') && attributes.size > 0 && !KNOWN.has(name);
    if (isEntry) this.#unknown.set(name, (this.#unknown.get(name) ?? 0) + 1);
  }

  #closeSetting(name: string): void {
    if (name === 'StudyName') this.#title = this.#text;
    else if (name.startsWith('redcap:') && !name.endsWith('Group') && !KNOWN.has(name)) {
      this.#settings.set(name.slice('redcap:'.length), this.#text);
    }
  }

  /** Returns the settings by their names in the API. A blank one that is on or off counts as not given. */
  #apiSettings(): Record<string, string | number> {
    const settings: Record<string, string | number> = {};
    for (const { element, setting } of SETTING_ELEMENTS) {
      const text = this.#settings.get(element);
      if (setting === '' || text === undefined) continue;
      if (!isSwitch(setting)) settings[setting] = text;
      else if (text !== '') settings[setting] = settingNumber(setting, text);
    }
    return settings;
  }

  /** Returns the settings that the sandbox does not use, by their elements. */
  #otherSettings(): Record<string, string> {
    const modelled = new Set(SETTING_ELEMENTS.filter(({ isOwn }) => isOwn).map(({ element }) => element));
    return Object.fromEntries([...this.#settings].filter(([element]) => !modelled.has(element)));
  }
}

function toSurvey(attributes: Attributes): StudySurvey {
  return {
    instrument: attributes.get('form_name') ?? '',
    title: attributes.get('title') ?? '',
    hasReturnCodes: attributes.get('save_and_return') === '1',
    others: without(attributes, SURVEY_OWN),
  };
}

function toReport(attributes: Attributes, index: number): StudyReport {
  const names = (attribute: string): string[] =>
    (attributes.get(attribute) ?? '').split(',').filter((name) => name !== '');
  return {
    id: index + 1,
    title: attributes.get('title') ?? '',
    uniqueName: attributes.get('unique_report_name') ?? '',
    fields: names('redcap_reports_fields'),
    filterLogic: attributes.get('advanced_logic') ?? '',
    isFilteredByRecord: attributes.get('filter_type') === 'RECORD',
    filterEvents: names('redcap_reports_filter_events'),
    filterGroups: names('redcap_reports_filter_dags'),
    others: without(attributes, REPORT_OWN),
  };
}

function without(attributes: Attributes, names: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries([...attributes].filter(([name]) => !names.has(name)));
}
