import { say, type Sentence } from '../../domain/errors/sentences.js';
import { CHECKED_CHOICES, FORM_STATUS_CHOICES, type Choice } from '../../domain/dictionary/choices.js';
import type { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import type { ExportColumn } from '../../domain/dictionary/export-column.js';
import { eventChoices, eventLabel, LabelCodes } from '../../domain/dictionary/labels.js';
import { ordersOf, ruleInOrder, toStoredDate } from '../../domain/dictionary/date-orders.js';
import { toStoredNumber, type DecimalCharacter } from '../../domain/dictionary/local-numbers.js';
import type { Field } from '../../domain/dictionary/field.js';
import { asSeen, damageOf, isShortened } from '../../domain/dictionary/spreadsheet-damage.js';
import { ANY_TEXT, oneOf } from '../../domain/dictionary/value-rules.js';
import { isEventName } from '../../domain/identifiers/names.js';
import type { IgnoredReason, ValueWarning } from './import-remarks.js';
import type { ImportRequest } from './import-request.js';
import type { ProjectFacts } from './imported-project.js';

/** The rule for the values of one column of an import. */
export interface ColumnCheck {
  readonly name: string;
  /** Why the column is not sent; undefined if it is sent. */
  readonly ignored?: IgnoredReason | undefined;
  /** The warning about blanks around a value, which are left out; undefined if they may belong to the value. */
  readonly blanks?: ValueWarning | undefined;
  /** @returns the rule that a value breaks, which is not blank */
  readonly ruleBrokenBy: (value: string) => Sentence | undefined;
  /** Converts a value to the form in which REDCap stores it. Absent if it is sent as it is. */
  readonly toStored?: ((value: string) => string) | undefined;
  /** @returns the rule that a value breaks before it is converted */
  readonly refuses?: ((value: string) => Sentence | undefined) | undefined;
  /** @returns which option would accept a value that breaks a rule */
  readonly hint?: ((value: string) => Sentence | undefined) | undefined;
  /** @returns what is unusual about a stored value that breaks no rule; undefined for most values */
  readonly warnAbout?: (value: string) => ValueWarning | undefined;
  /** @returns the choice whose label equals the value */
  readonly suggest?: (value: string) => Choice | undefined;
}

/** The columns that say where a row belongs. */
export const STRUCTURE = [
  'redcap_event_name',
  'redcap_repeat_instrument',
  'redcap_repeat_instance',
  'redcap_data_access_group',
] as const;

/**
 * The rules for the columns of an import. A value of a field must be allowed by its type, validation and choices, or be
 * a missing data code. Columns that REDCap computes, ignores or always refuses are left out, so that an
 * export can be imported unchanged. Limits are soft, as in REDCap, unless `limits` is `refuse`. Dates are converted
 * from the order of the import, and blanks around what cannot have any are left out.
 *
 * @see docs/protocol/redcap.md 5.2 (doc, client, choice)
 */
export class ColumnChecks {
  /**
   * Checks by column name. Those of fields are created on first use: a project may have thousands of fields, an import
   * a few.
   */
  readonly #checks: Map<string, ColumnCheck>;

  readonly #missingCodes: ReadonlySet<string>;

  constructor(
    private readonly request: ImportRequest,
    private readonly project: ProjectFacts,
  ) {
    const { dictionary, missing } = project;
    this.#missingCodes = new Set(missing.map(({ code }) => code));
    const structure = structureColumns(dictionary, request.type ?? 'flat');
    const missingOfBoxes = missingColumns(dictionary, missing);
    const fixed = this.areLabels
      ? [
          ...missingOfBoxes.map(({ check, label }) => labelled(check, boxChoices(label), true)),
          ...surveyColumns(dictionary),
          ...structure.map((check) => placeLabelled(check, project)),
        ]
      : [...missingOfBoxes.map(({ check }) => check), ...surveyColumns(dictionary), ...structure];
    this.#checks = new Map(fixed.map((check) => [check.name, check]));
  }

  /** Whether values are labels, as an export with `rawOrLabel=label` writes them. */
  get areLabels(): boolean {
    return this.request.rawOrLabel === 'label';
  }

  /** Returns the labels that the choices of a field have, and those for its missing values. */
  labelsOf(field: Field): LabelCodes {
    return new LabelCodes([...this.project.dictionary.choices(field), ...this.project.missing]);
  }

  /** @returns undefined for a column that an import must not have */
  get(name: string): ColumnCheck | undefined {
    const known = this.#checks.get(name);
    if (known !== undefined) return known;
    const column = this.project.dictionary.column(name);
    if (column === undefined)
      return this.project.dictionary.field(name)?.type === 'descriptive'
        ? ignoring(name, 'descriptive')
        : undefined;
    const check = this.areLabels ? this.#labelledCheckOf(column) : this.#checkOf(column);
    this.#checks.set(name, check);
    return check;
  }

  #labelledCheckOf(column: ExportColumn): ColumnCheck {
    const { name, field, choice } = column;
    // The labels come from a query, which only REDCap can make.
    if (field?.type === 'sql') return ignoring(name, 'query');
    const check = this.#checkOf(column);
    if (check.ignored !== undefined) return check;
    const isClosed = this.request.keepMisfits !== true;
    if (field === undefined) return labelled(check, FORM_STATUS_CHOICES, isClosed);
    if (choice !== undefined) return labelled(check, boxChoices(choice.label), isClosed);
    const choices = this.project.dictionary.choices(field);
    return labelled(check, [...choices, ...this.project.missing], isClosed && CODED.has(field.type));
  }

  #checkOf({ name, field, instrument }: ExportColumn): ColumnCheck {
    if (field?.type === 'calc') return ignoring(name, 'calculated');
    if (field?.type === 'file') return ignoring(name, 'file');
    const {
      dateFormat = 'YMD',
      century,
      decimalCharacter,
      limits = 'warn',
      keepMisfits = false,
    } = this.request;
    const dictionary = this.project.dictionary;
    const mayBeMissing = field !== undefined && field.type !== 'checkbox';
    const isMissing = (value: string): boolean => mayBeMissing && this.#missingCodes.has(value);
    const isDate = field?.type === 'text' && /^date/.test(field.validationType);
    const isTime = field?.type === 'text' && /^time/.test(field.validationType);
    const decimal = field && storedDecimal(field);
    const toNumber =
      decimalCharacter !== undefined && decimal !== undefined
        ? (value: string) =>
            isMissing(value) ? value : toStoredNumber(value, decimalCharacter, decimal.stored, decimal.places)
        : undefined;
    const rules = dictionary.valueRule(name);
    const misfit = (value: string): Sentence | undefined => {
      const rule = value === '' ? undefined : rules?.validate(value);
      return rule === undefined || !isDate ? rule : ruleInOrder(rule, dateFormat);
    };
    const limit = (value: string): Sentence | undefined =>
      value === '' ? undefined : rules?.validateRange(value);
    const warning = { field: name, instrument };
    let isSaid = false;
    const isAnyText = rules === ANY_TEXT;
    const hint = isDate
      ? (value: string) => dateHint(value, this.request)
      : decimal &&
        ((value: string) =>
          numberHint(value, decimal, decimalCharacter, (number) =>
            misfit(number) === undefined ? (limit(number) === undefined ? 'good' : 'outside') : 'none',
          ));
    return {
      name,
      blanks: isAnyText ? undefined : blanksOf(name, instrument),
      ruleBrokenBy: (value) =>
        isMissing(value)
          ? undefined
          : ((keepMisfits ? undefined : misfit(value)) ?? (limits === 'refuse' ? limit(value) : undefined)),
      warnAbout: (value) => {
        if (isMissing(value)) return undefined;
        const rule = keepMisfits ? misfit(value) : undefined;
        if (rule !== undefined) return { ...warning, rule: 'invalid_value', ...rule };
        const range = limits === 'warn' ? limit(value) : undefined;
        if (range !== undefined) return { ...warning, rule: 'out_of_range', ...range };
        if (isAnyText && field?.type === 'text' && isShortened(value))
          return { ...warning, rule: 'spreadsheet_damage', ...say('shortened_number') };
        // Once for the field: it is the same for every value.
        if (isSaid || value === '' || rules?.unevaluated === undefined) return undefined;
        isSaid = true;
        return { ...warning, rule: 'not_checked', ...rules.unevaluated };
      },
      toStored: isDate
        ? (value) => toStoredDate(value, dateFormat, century)
        : isTime
          ? (value) => value.replace(/^\d:/, '0$&')
          : toNumber && ((value) => toNumber(value) ?? value),
      refuses:
        keepMisfits || toNumber === undefined || decimalCharacter === undefined
          ? undefined
          : (value) =>
              value === '' || toNumber(value) !== undefined
                ? undefined
                : // What is no number at all breaks the rule that it breaks without the option.
                  ((/\d/.test(value) ? undefined : misfit(value)) ??
                  say('number_written_with', { decimalCharacter })),
      hint: (value) =>
        hint?.(value) ??
        (misfit(value) === undefined
          ? undefined
          : ((field && damageOf(field, value, (other) => misfit(other) === undefined)) ??
            (misfit(asSeen(value)) === undefined ? say('unseen_characters') : undefined))),
      suggest: (value) => dictionary.suggestChoice(name, value),
    };
  }
}

/** Returns how the numbers of a field are stored; undefined for a field without numbers. */
function storedDecimal({ type, validationType }: Field) {
  if (type === 'slider') return { stored: '.', places: 0 } as const;
  if (type !== 'text' || !/^(?:integer|number)/.test(validationType)) return undefined;
  const stored: DecimalCharacter = validationType.endsWith('comma_decimal') ? ',' : '.';
  return { stored, places: Number(/_(\d)dp/.exec(validationType)?.[1] ?? 0) };
}

/** Names the option that would read a value as a date, in the same words for every kind of input. */
function dateHint(value: string, { dateFormat = 'YMD', century }: ImportRequest): Sentence | undefined {
  const { orders, needsCentury } = ordersOf(value);
  const others = orders.includes(dateFormat) ? [] : orders;
  const isCenturyMissing = orders.length > 0 && needsCentury && century === undefined;
  if (others.length === 0 && !isCenturyMissing) return undefined;
  return say('date_option', { orders: others, needsCentury: isCenturyMissing });
}

/**
 * Names the decimal character with which a value would be a number of its field: rather one within its limits, and no
 * other for a number that is only outside of them.
 */
function numberHint(
  value: string,
  { stored, places }: { readonly stored: DecimalCharacter; readonly places: number },
  chosen: DecimalCharacter | undefined,
  judge: (number: string) => 'good' | 'outside' | 'none',
): Sentence | undefined {
  const judgeWith = (as: DecimalCharacter): ReturnType<typeof judge> => {
    const number = toStoredNumber(value, as, stored, places);
    return number === undefined ? 'none' : judge(number);
  };
  const now = chosen === undefined ? judge(value) : judgeWith(chosen);
  const other: DecimalCharacter = (chosen ?? stored) === ',' ? '.' : ',';
  const characters = chosen === undefined ? [stored, other] : [other];
  const decimalCharacter =
    characters.find((as) => judgeWith(as) === 'good') ??
    (now === 'none' ? characters.find((as) => judgeWith(as) === 'outside') : undefined);
  return decimalCharacter === undefined ? undefined : say('decimal_option', { decimalCharacter });
}

/** Returns the columns of checkbox fields for missing data codes. @see docs/protocol/redcap.md 4.2, item 10 (doc) */
function missingColumns(
  dictionary: DataDictionary,
  missing: readonly Choice[],
): { readonly check: ColumnCheck; readonly label: string }[] {
  return dictionary.fields
    .flatMap((field) => dictionary.missingColumns(field, missing))
    .map(({ name, choice }) => ({
      check: keeping(name, (value) => (value === '0' || value === '1' ? undefined : say('zero_or_one'))),
      label: choice?.label ?? '',
    }));
}

/** The types of fields whose values are labels in an export of labels. */
const CODED: ReadonlySet<string> = new Set(['radio', 'dropdown', 'yesno', 'truefalse']);

/** The words of a box: `Checked` and `Unchecked`, or the label of its choice (`exportCheckboxLabel`). */
function boxChoices(label: string): readonly Choice[] {
  return [...CHECKED_CHOICES, { code: '1', label }];
}

/**
 * Returns the check of a column whose values are labels. This is the place where labels become codes.
 *
 * @param isClosed whether a value must be a label
 */
function labelled(check: ColumnCheck, choices: readonly Choice[], isClosed: boolean): ColumnCheck {
  const labels = new LabelCodes(choices);
  // The code of a label is the label, so that sentences about codes speak of labels.
  const turned = choices.map(({ code, label }) => ({ code: label, label: code }));
  return {
    ...check,
    toStored: (text) => {
      const [code, ...others] = labels.codesOf(text);
      if (others.length > 0) return text;
      return code ?? check.toStored?.(text) ?? text;
    },
    refuses: (text) => {
      const codes = labels.codesOf(text);
      if (codes.length > 1) return say('label_ambiguous', { codes });
      if (codes.length === 1) return undefined;
      return isClosed ? oneOf(turned) : check.refuses?.(text);
    },
    suggest: (text) => {
      if (labels.codesOf(text).length > 0) return undefined;
      const meant = check.suggest?.(text)?.code ?? text;
      return turned.find(({ label }) => label === meant);
    },
  };
}

/** Returns the check of a structural column whose values are labels, as far as they are known. */
function placeLabelled(check: ColumnCheck, { structure, instruments, dags }: ProjectFacts): ColumnCheck {
  switch (check.name) {
    case 'redcap_event_name': {
      const { toStored, refuses, ...rest } = labelled(
        check,
        eventChoices(structure?.events ?? []),
        structure !== undefined,
      );
      return {
        ...rest,
        toStored: toStored && ((label) => toStored(eventLabel(label))),
        refuses: refuses && ((label) => refuses(eventLabel(label))),
      };
    }
    case 'redcap_repeat_instrument': {
      const choices = instruments?.map(({ name, label }) => ({ code: name, label }));
      return labelled(check, choices ?? [], choices !== undefined);
    }
    case 'redcap_data_access_group': {
      const known = dags === 'unread' ? undefined : dags;
      const choices = known?.map(({ uniqueName, name }) => ({ code: uniqueName, label: name }));
      return labelled(check, choices ?? [], choices !== undefined);
    }
    default:
      return check;
  }
}

/**
 * Returns the survey columns, which REDCap accepts and ignores. In some projects fields have such names; then the field
 * takes precedence. (doc, client)
 */
function surveyColumns(dictionary: DataDictionary): ColumnCheck[] {
  return [
    ...dictionary.instruments.map((instrument) => `${instrument}_timestamp`),
    'redcap_survey_identifier',
  ]
    .filter((name) => dictionary.column(name) === undefined)
    .map((name) => ignoring(name, 'survey'));
}

function structureColumns(dictionary: DataDictionary, type: 'flat' | 'eav'): ColumnCheck[] {
  const instruments = new Set(dictionary.instruments);
  return [
    keeping('redcap_event_name', (value) => (isEventName(value) ? undefined : say('event_name'))),
    keeping('redcap_repeat_instrument', (value) =>
      instruments.has(value) ? undefined : say('instrument_name'),
    ),
    keeping('redcap_repeat_instance', type === 'flat' ? flatInstance : eavInstance),
    keeping('redcap_data_access_group', anything),
  ];
}

function keeping(name: string, rule: (value: string) => Sentence | undefined): ColumnCheck {
  return { name, ruleBrokenBy: rule, blanks: blanksOf(name, '') };
}

function blanksOf(field: string, instrument: string): ValueWarning {
  return { field, instrument, rule: 'blanks_around', ...say('blanks_around') };
}

function ignoring(name: string, ignored: IgnoredReason): ColumnCheck {
  return { name, ignored, ruleBrokenBy: anything };
}

function anything(): undefined {
  return undefined;
}

function flatInstance(value: string): Sentence | undefined {
  return value === 'new' || INSTANCE.test(value) ? undefined : say('instance_or_new');
}

function eavInstance(value: string): Sentence | undefined {
  return INSTANCE.test(value) ? undefined : say('instance');
}

const INSTANCE = /^[1-9]\d{0,4}$/;
