import type { SeededRandom } from '../../../src/sandbox/demo-study/made-up.js';
import type { Pair } from '../../proof/play.js';
import type { ApiCall, Names } from '../../proof/request.js';
import { namesOf } from '../../proof/requests.js';
import { mayFillIn } from '../../proof/writes.js';

type Entries = readonly (readonly [name: string, value: string])[];

/** A call of REDCap's API, and how its answer is to be judged. */
export interface JudgedCall extends ApiCall {
  /** Whether the policy may not grant it, so that REDCap's 403 is right. */
  readonly mayBeRefused?: boolean | undefined;
  /** Whether no answer but a refusal is right. */
  readonly isNeverGranted?: boolean;
  /** Whether a view has none of the list, which is another in a project with a user. */
  readonly isEmpty?: boolean;
  /** Why a view answers otherwise than a smaller project. Nothing hidden may be in its answer. */
  readonly unlike?: string | undefined;
}

/** Makes calls up: for every content of a view, with the parameters that REDCap knows, in the styles of its clients. */
export class MadeUpCalls {
  readonly #names: Names;
  readonly #contents: readonly (readonly [weight: number, make: () => JudgedCall])[];

  /** @param isOdm whether to make calls up that read records in ODM, and no others */
  constructor(
    private readonly pair: Pair,
    private readonly random: SeededRandom,
    private readonly isOdm = false,
  ) {
    this.#names = namesOf(pair.study, pair.left);
    this.#contents = this.#table();
  }

  /** @returns a call */
  next(): JudgedCall {
    const total = this.#contents.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.random.integer(1, total);
    const [, make] = this.#contents.find(([weight]) => (at -= weight) <= 0) ?? [];
    if (make === undefined) throw new Error('There is always one.');
    const call = this.isOdm ? this.#records(['odm']) : make();
    const entries = [...call.entries, ...this.#one('returnFormat', FORMATS, 0.3)];
    return {
      ...call,
      entries: this.random.chance(0.3) ? entries.reverse() : entries,
      isMultipart: this.random.chance(0.2),
    };
  }

  #table(): (readonly [number, () => JudgedCall])[] {
    const { rules } = this.pair.who;
    const plain =
      (content: string, more: () => Entries = () => []) =>
      (): JudgedCall => ({ entries: [...this.#start(content), ...more()] });
    const closed = (make: () => JudgedCall) => (): JudgedCall => ({
      ...make(),
      mayBeRefused: true,
      isNeverGranted: true,
    });
    const perhaps = (isOpen: boolean, make: () => JudgedCall) => (isOpen ? make : closed(make));
    const ofArms = (): Entries => this.#list('arms', this.#known().arms, 0.5);
    return [
      [60, () => this.#records()],
      [
        10,
        plain('metadata', () => [
          ...this.#list('fields', this.#known().fields, 0.5),
          ...this.#list('forms', this.#known().forms, 0.4),
        ]),
      ],
      [5, plain('exportFieldNames', () => this.#one('field', this.#known().fields, 0.6))],
      [2, plain('instrument')],
      [3, plain('event', ofArms)],
      [3, plain('arm', ofArms)],
      [3, plain('formEventMapping', ofArms)],
      [3, plain('repeatingFormsEvents')],
      [2, plain('project')],
      [2, plain('version')],
      [2, plain('fieldValidation')],
      [2, plain('dag')],
      [
        2,
        rules.create === 'auto'
          ? () => ({
              ...plain('generateNextRecordName')(),
              unlike: 'create: auto tells the number of records',
            })
          : closed(plain('generateNextRecordName')),
      ],
      [6, perhaps((rules.log ?? 'none') === 'read' && !this.#isDeidentified, () => this.#log())],
      [10, () => this.#report()],
      [8, perhaps((rules.files ?? 'none') !== 'none' && !this.#isDeidentified, () => this.#file())],
      [5, () => this.#pdf()],
      [5, () => this.#survey()],
      [
        1,
        () => ({
          entries: [...this.#start('surveyQueueLink'), ...this.#one('record', this.#known().records, 0.9)],
          mayBeRefused: this.#hidesSomething,
          isNeverGranted: this.#closedForms.length > 0,
        }),
      ],
      [
        1,
        closed(() => ({ entries: this.#start(this.random.pick(['project_xml', 'fileinfo', 'filesize'])) })),
      ],
      [
        2,
        () => ({
          entries: this.#start(this.random.pick([...PEOPLE])),
          isEmpty: true,
        }),
      ],
      [2, () => ({ entries: this.#start(this.random.pick(['', 'nonesuch', 'records'])) })],
      [1, () => ({ entries: [['content', 'metadata'], ...this.#one('action', ['nonesuch', 'list'], 1)] })],
    ];
  }

  #records(formats = FORMATS): JudgedCall {
    const { fields, forms, events, records, filters } = this.#known();
    const range = this.#one('dateRangeBegin', ['2026-01-01 00:00:00', ''], 0.03);
    return {
      entries: [
        ...this.#start('record', formats),
        ...this.#one('type', ['flat', 'eav', 'eav', 'wide'], 0.4),
        ...this.#list('records', records, 0.25),
        ...this.#list('fields', fields, 0.4),
        ...this.#list('forms', forms, 0.25),
        ...this.#list('events', events, 0.2),
        ...this.#form(),
        ...(this.#isDeidentified ? [] : this.#one('exportSurveyFields', FLAGS, 0.2)),
        ...this.#one('exportDataAccessGroups', FLAGS, 0.3),
        ...this.#one('exportBlankForGrayFormStatus', FLAGS, 0.2),
        ...this.#one('combineCheckboxOptions', FLAGS, 0.2),
        ...this.#one('filterLogic', filters, 0.25),
        ...this.#one('eventName', ['label'], 0.05),
        ...range,
      ],
      ...(range.some(([, value]) => value !== '') && {
        unlike: 'a range of dates is refused, because it tells of changes that are hidden',
      }),
    };
  }

  #form(): Entries {
    return [
      ...this.#one('rawOrLabel', ['raw', 'label', 'both'], 0.4),
      ...this.#one('rawOrLabelHeaders', ['raw', 'label'], 0.25),
      ...this.#one('exportCheckboxLabel', FLAGS, 0.25),
      ...this.#one('decimalCharacter', ['.', ',', 'comma', ''], 0.2),
      ...this.#one('csvDelimiter', [',', 'tab', '\t', ';', '|', '^', '', ':'], 0.2),
    ];
  }

  #report(): JudgedCall {
    const ids = [...this.#names.reports.map(({ id }) => String(id)), '999', '', 'x', '01'];
    const start = this.#start('report');
    const isOdm = start.some(([, value]) => value === 'odm');
    return {
      entries: [...start, ...this.#one('report_id', ids, 0.97), ...this.#form()],
      ...(isOdm && { unlike: 'the rows of a report do not tell which forms were saved' }),
    };
  }

  #log(): JudgedCall {
    const { records } = this.#known();
    return {
      entries: [
        ...this.#start('log'),
        ...this.#one(
          'logtype',
          ['', 'record', 'record_edit', 'record_add', 'export', 'user', 'nonesuch'],
          0.3,
        ),
        ...this.#one('user', ['monitor', 'nobody', ''], 0.2),
        ...this.#one('record', records, 0.3),
        ...this.#one('dag', [...this.#names.groups, '1', '2', '99', ''], 0.2),
        ...this.#one('beginTime', ['2026-01-10', '2026-01-01 10:00', 'yesterday', ''], 0.2),
        ...this.#one('endTime', ['2026-02-10', '2026-02-01 10:00', ''], 0.2),
      ],
    };
  }

  #file(): JudgedCall {
    const { records, fields } = this.#known();
    const fileFields = [...this.#names.fileFields, ...this.#names.fileFields, ...fields.slice(0, 3)];
    return {
      entries: [
        ...this.#start('file'),
        ['action', 'export'],
        ...this.#one('record', records, 0.97),
        ...this.#one('field', fileFields, 0.97),
        ...this.#place(),
      ],
    };
  }

  #pdf(): JudgedCall {
    const { records, forms } = this.#known();
    return {
      entries: [
        ...this.#start('pdf'),
        ...this.#one('record', records, 0.6),
        ...this.#one('instrument', forms, 0.6),
        ...this.#one('compactDisplay', FLAGS, 0.3),
        ...this.#place(),
      ],
      mayBeRefused: this.#hidesSomething,
      ...(!this.pair.left.forms.has(this.pair.study.fields[0]?.instrument ?? '') && {
        unlike: 'a view shows the id on its first form, on which REDCap does not draw it',
      }),
    };
  }

  #survey(): JudgedCall {
    const { records, forms } = this.#known();
    const content = this.random.pick([
      'surveyLink',
      'surveyReturnCode',
      'surveyAccessCode',
      'participantList',
    ]);
    const instrument = this.#one('instrument', forms, 0.95);
    return {
      entries: [
        ...this.#start(content),
        ...instrument,
        ...this.#one('record', records, 0.95),
        ...this.#place(),
      ],
      mayBeRefused: this.#hidesSomething,
      isNeverGranted:
        content !== 'participantList' && instrument.some(([, form]) => this.#closedForms.includes(form)),
    };
  }

  #place(): Entries {
    return [
      ...this.#one('event', this.#known().events, 0.7),
      ...this.#one('repeat_instance', ['1', '2', '9', ''], 0.3),
    ];
  }

  #start(content: string, formats = FORMATS): Entries {
    return [
      ...this.#one('content', [content], content === '' ? 0 : 1),
      ...this.#one('action', ['export', ''], content === 'file' ? 0 : 0.2),
      ...this.#one('format', formats, formats === FORMATS ? 0.95 : 1),
    ];
  }

  /** @returns a parameter with one of the values, or none */
  #one(name: string, values: readonly string[], share: number): Entries {
    return values.length > 0 && this.random.chance(share) ? [[name, this.#pick(values)]] : [];
  }

  /** @returns a list, as one of the clients writes it; or none */
  #list(name: string, values: readonly string[], share: number): Entries {
    if (values.length === 0 || !this.random.chance(share)) return [];
    const items = Array.from({ length: this.random.integer(0, 4) }, () => this.#pick(values));
    const style = this.random.integer(0, 3);
    if (style === 3 || items.length === 0) return [[name, items.join(this.random.pick([',', ', ']))]];
    return items.map((item, at) => [`${name}[${style === 2 ? '' : at + style}]`, item]);
  }

  /** What parameters may name: mostly what is visible. */
  #known() {
    const { visibleFields, visibleForms, visibleEvents, visibleRecords, id, ...names } = this.#names;
    const mostly = (visible: readonly string[], others: readonly string[]): readonly string[] =>
      this.random.chance(0.2) ? [...visible, ...others] : visible;
    const [field, other] = [this.#pick(visibleFields), this.#pick(visibleFields)];
    const [event = ''] = visibleEvents.slice(-1);
    return {
      arms: mostly(['1', '2'], ['9', 'x', '01']),
      fields: mostly(
        [...visibleFields, id, ...visibleForms.map((form) => `${form}_complete`)],
        [...names.hiddenFields.slice(0, 3), 'nonesuch', 'redcap_event_name', 'redcap_data_access_group'],
      ),
      forms: mostly(visibleForms, [...names.forms.slice(2), 'nonesuch', 'no such']),
      events: mostly(visibleEvents, [...names.hiddenEvents, 'none_arm_1']),
      records: mostly(visibleRecords, names.records),
      filters: [
        `[${field}] <> ''`,
        `[${field}] = '1' or [${other}] > 50`,
        `[${names.hiddenFields[0] ?? id}] <> ''`,
        `[${event === '' ? field : event}][${other}] <> ''`,
        `[${id}] = '${visibleRecords[0] ?? ''}'`,
        "[record-name] <> ''",
        `[record-dag-name] = '${names.groups[0] ?? 'none'}'`,
        `[nonesuch] = '1'`,
        `[${field} = `,
        '1 = 1',
        ' ',
        ...names.filters,
      ],
    };
  }

  #pick(values: readonly string[]): string {
    return values[this.random.integer(0, values.length - 1)] ?? '';
  }

  get #isDeidentified(): boolean {
    return this.pair.left.others !== undefined;
  }

  /** REDCap draws a form, and opens a survey, as a whole: a view has those that it shows, or lets change, as they are. */
  get #hidesSomething(): boolean {
    const { study, left, who } = this.pair;
    return (
      who.rules.records !== 'all' ||
      who.rules.events !== undefined ||
      JSON.stringify(left.study.fields) !== JSON.stringify(study.fields) ||
      this.#closedForms.length > 0
    );
  }

  /** The forms whose survey would let its holder change what the policy does not let change. */
  get #closedForms(): readonly string[] {
    const { study, left, who } = this.pair;
    return study.instruments
      .map(({ name }) => name)
      .filter((form) => !mayFillIn(study, left, who.rules, form));
  }
}

const FORMATS = ['json', 'json', 'csv', 'csv', 'xml', 'xml', 'odm', 'odm', '', 'yaml'];
const FLAGS = ['true', 'false', '1', '0', 'TRUE', 'False', ''];

const PEOPLE = ['user', 'userRole', 'userRoleMapping', 'userDagMapping'] as const;
