import { parseChoices } from '../../../dictionary/choices.js';
import { BLANK_FIELD, type Field } from '../../../dictionary/field.js';
import type { Study, StudyEvent, StudyMapping, StudyRepeating, StudyReport, StudySurvey } from '../study.js';
import { uniqueGroupName } from '../unique-names.js';
import { apiFieldType, apiValidation } from './field-words.js';
import type { XmlListener } from './read-xml.js';
import { readRole } from './role-attributes.js';
import { SETTING_ELEMENTS } from './setting-elements.js';

type Attributes = ReadonlyMap<string, string>;

/** A field's start tag; the label and limits come from its child elements. */
interface ItemDraft {
  readonly attributes: Attributes;
  text: string;
  formatted: string;
  min: string;
  max: string;
}

const SURVEY_OWN = new Set(['form_name', 'title', 'save_and_return']);
const REPORT_OWN = new Set([
  'title',
  'unique_report_name',
  'report_order',
  'advanced_logic',
  'redcap_reports_fields',
]);

/** The lists that the sandbox supports: their parent elements and their entries. */
const KNOWN = new Set([
  ...['redcap:DataAccessGroupsGroup', 'redcap:DataAccessGroups', 'redcap:UserRolesGroup', 'redcap:UserRoles'],
  ...['redcap:SurveysGroup', 'redcap:Surveys', 'redcap:ReportsGroup', 'redcap:Reports'],
  ...['redcap:RepeatingInstrumentsAndEvents', 'redcap:RepeatingInstruments'],
  ...['redcap:RepeatingInstrument', 'redcap:RepeatingEvent', 'redcap:FormattedTranslatedText'],
]);

/** Reads the `Study` element of a project XML: everything but the records. @see docs/protocol/redcap.md 9.8 (client) */
export class DesignReader implements XmlListener {
  readonly #path: string[] = [];
  #text = '';
  #created = '';
  #title = '';
  readonly #settings = new Map<string, string>();
  readonly #forms: { name: string; label: string; groups: string[] }[] = [];
  readonly #groupItems = new Map<string, string[]>();
  readonly #items = new Map<string, ItemDraft>();
  readonly #choices = new Map<string, [code: string, label: string][]>();
  readonly #checkboxChoices = new Map<string, string>();
  readonly #events: StudyEvent[] = [];
  readonly #arms = new Map<number, string>();
  readonly #mappings: StudyMapping[] = [];
  readonly #repeating: StudyRepeating[] = [];
  readonly #groups: string[] = [];
  readonly #roles: Attributes[] = [];
  readonly #surveys: Attributes[] = [];
  readonly #reports: Attributes[] = [];
  readonly #unknown = new Map<string, number>();
  #item: ItemDraft | undefined;
  #comparator = '';
  #list = '';
  #groupDef = '';

  open(name: string, attributes: Attributes): void {
    this.#path.push(name);
    this.#text = '';
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
          instrument: value('redcap:FormName') || formName(value('FormOID')),
        });
        break;
      case 'FormDef':
        this.#forms.push({
          name: value('redcap:FormName') || formName(value('OID')),
          label: value('Name'),
          groups: [],
        });
        break;
      case 'ItemGroupRef':
        this.#forms.at(-1)?.groups.push(value('ItemGroupOID'));
        break;
      case 'ItemGroupDef':
        this.#groupDef = value('OID');
        this.#groupItems.set(this.#groupDef, []);
        break;
      case 'ItemRef':
        this.#groupItems.get(this.#groupDef)?.push(value('ItemOID'));
        break;
      case 'ItemDef':
        this.#item = { attributes, text: '', formatted: '', min: '', max: '' };
        this.#items.set(value('OID'), this.#item);
        break;
      case 'RangeCheck':
        this.#comparator = value('Comparator');
        break;
      case 'CodeList':
        this.#list = value('OID');
        this.#choices.set(this.#list, []);
        if (attributes.has('redcap:CheckboxChoices')) {
          this.#checkboxChoices.set(value('redcap:Variable'), value('redcap:CheckboxChoices'));
        }
        break;
      case 'CodeListItem':
        this.#choices.get(this.#list)?.push([value('CodedValue'), '']);
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
    else if (name === 'redcap:FormattedTranslatedText' && this.#item) this.#item.formatted = this.#text;
    else if (name === 'CheckValue') this.#closeRange();
    else if (name === 'TranslatedText') this.#closeText(parent);
    this.#text = '';
  }

  /** The number of entries in the file that the sandbox does not support, by element name. */
  get unknown(): ReadonlyMap<string, number> {
    return this.#unknown;
  }

  /** Returns everything but the records, and the users, which the file does not list. */
  toStudy(): Omit<Study, 'users' | 'rows'> {
    const setting = (element: string): string => this.#settings.get(element) ?? '';
    const fields = this.#fields();
    const isLongitudinal = this.#events.length > 0;
    const instruments = this.#forms.map(({ name }) => name);
    const groupNames = new Set<string>();
    return {
      project: {
        title: this.#title,
        notes: setting('ProjectNotes'),
        purpose: Number(setting('Purpose')) || 0,
        piFirstName: '',
        piLastName: '',
        surveysEnabled: setting('SurveysEnabled') === '1',
        missingDataCodes: setting('MissingDataCodes'),
        creationTime: this.#created,
        settings: this.#apiSettings(),
        others: this.#otherSettings(),
      },
      fields,
      instruments: this.#forms.map(({ name, label }) => ({ name, label })),
      arms: [...this.#arms].map(([number, name]) => ({ number, name })),
      events: this.#events,
      mappings: this.#mappings,
      repeating: this.#repeatingInOrder(isLongitudinal, instruments),
      roles: this.#roles.map((attributes) => readRole(attributes, instruments)),
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

  #closeRange(): void {
    if (this.#item === undefined) return;
    if (this.#comparator === 'GE') this.#item.min = this.#text;
    else this.#item.max = this.#text;
  }

  #closeText(parent: string | undefined): void {
    if (parent === 'Question' && this.#item !== undefined) this.#item.text = this.#text;
    const choice = parent === 'Decode' ? this.#choices.get(this.#list)?.at(-1) : undefined;
    if (choice !== undefined) choice[1] = this.#text;
  }

  #apiSettings(): Record<string, string | number> {
    const known = SETTING_ELEMENTS.filter(
      ({ element, setting }) => setting !== '' && this.#settings.has(element),
    );
    return Object.fromEntries(
      known.map(({ element, setting }) => {
        const text = this.#settings.get(element) ?? '';
        return [setting, /^[01]$/.test(text) ? Number(text) : text];
      }),
    );
  }

  #otherSettings(): Record<string, string> {
    const modelled = new Set(SETTING_ELEMENTS.filter(({ isOwn }) => isOwn).map(({ element }) => element));
    return Object.fromEntries([...this.#settings].filter(([element]) => !modelled.has(element)));
  }

  /**
   * Returns the fields in order of instruments, item groups and items. A checkbox field has several items but is listed
   * once.
   */
  #fields(): Field[] {
    const fields = new Map<string, Field>();
    for (const { name: instrument, groups } of this.#forms) {
      for (const oid of groups.flatMap((group) => this.#groupItems.get(group) ?? [])) {
        const item = this.#items.get(oid);
        const variable = item?.attributes.get('redcap:Variable') ?? oid;
        const type = item?.attributes.get('redcap:FieldType');
        if (item === undefined || type === undefined || fields.has(variable)) continue;
        if (variable === `${instrument}_complete`) continue;
        fields.set(variable, this.#toField(variable, instrument, oid, item));
      }
    }
    return [...fields.values()];
  }

  #toField(name: string, instrument: string, oid: string, { attributes, ...draft }: ItemDraft): Field {
    const value = (key: string): string => attributes.get(`redcap:${key}`) ?? '';
    const type = apiFieldType(value('FieldType'));
    const validation = value('TextValidationType');
    return {
      ...BLANK_FIELD,
      name,
      instrument,
      sectionHeader: value('SectionHeader'),
      type,
      label: draft.formatted || draft.text,
      choicesOrCalculations: this.#choicesOf(name, oid, type, value),
      note: value('FieldNote'),
      validationType: type === 'text' ? apiValidation(validation) : validation,
      validationMin: draft.min,
      validationMax: draft.max,
      isIdentifier: value('Identifier') === 'y',
      branchingLogic: value('BranchingLogic'),
      isRequired: value('RequiredField') === 'y',
      alignment: value('CustomAlignment'),
      questionNumber: value('QuestionNumber'),
      matrixGroup: value('MatrixGroupName'),
      isMatrixRanking: value('MatrixRanking') === 'y',
      annotation: value('FieldAnnotation'),
    };
  }

  #choicesOf(name: string, oid: string, type: string, value: (key: string) => string): string {
    switch (type) {
      case 'checkbox':
        return writeChoices(
          parseChoices(this.#checkboxChoices.get(name) ?? '').map(({ code, label }) => [code, label]),
        );
      case 'radio':
      case 'dropdown':
        return writeChoices(this.#choices.get(`${oid}.choices`) ?? []);
      case 'slider':
        return value('SliderLabels');
      default:
        return value('Calculation');
    }
  }
}

function writeChoices(choices: readonly (readonly [string, string])[]): string {
  return choices.map((choice) => choice.join(', ')).join(' | ');
}

/** Strips the prefix of an OID such as `Form.demographics`. */
function formName(oid: string): string {
  return oid.replace(/^Form\./, '');
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
  const fields = (attributes.get('redcap_reports_fields') ?? '').split(',').filter((name) => name !== '');
  return {
    id: index + 1,
    title: attributes.get('title') ?? '',
    uniqueName: attributes.get('unique_report_name') ?? '',
    fields,
    filterLogic: attributes.get('advanced_logic') ?? '',
    others: without(attributes, REPORT_OWN),
  };
}

function without(attributes: Attributes, names: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries([...attributes].filter(([name]) => !names.has(name)));
}
