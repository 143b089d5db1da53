import { ANY_BYTES, NO_BYTES, type ByteRule } from '../../dictionary/byte-rules.js';
import type { Choice } from '../../dictionary/choices.js';
import type { DataDictionary } from '../../dictionary/data-dictionary.js';
import { checkboxColumnName, type ExportColumn } from '../../dictionary/export-column.js';
import { isEventName, EVENT_NAME_RULE } from '../../identifiers/event-name.js';
import type { IgnoredReason } from './ignored-columns.js';
import type { ImportRequest } from './import-request.js';

/** What may stand in one column of an import. */
export interface ColumnCheck {
  readonly name: string;
  /** Why it is left out of what is sent; undefined for a column that is sent. */
  readonly ignored?: IgnoredReason | undefined;
  /** Accepts most values without making text of them; what it does not accept, `ruleBrokenBy` decides. Never asked of a blank. */
  readonly accepts: ByteRule;
  /** @returns the rule that the value breaks, as the end of a sentence without the value */
  readonly ruleBrokenBy: (value: string) => string | undefined;
  /** @returns the choice whose label the value is */
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
 * What may stand in the columns of an import: for a field a value that its type, validation, choices and limits allow,
 * or a missing data code. What REDCap computes, ignores or refuses whatever it holds is left out, so that an export can be
 * imported as it is. Dates in another order than YMD are left to REDCap.
 *
 * @see docs/protocol/redcap.md 5.2 (doc, client, choice)
 */
export class ColumnChecks {
  readonly #dictionary: DataDictionary;
  readonly #missingCodes: ReadonlySet<string>;
  readonly #areDatesStored: boolean;
  /** Those of fields are made when they are asked for: a project may have thousands, an import a few. */
  readonly #checks: Map<string, ColumnCheck>;

  /** @param missingCodes what the project may hold in any field for a value that is missing */
  constructor(
    dictionary: DataDictionary,
    { dateFormat = 'YMD', type = 'flat' }: ImportRequest,
    missingCodes: ReadonlySet<string> = new Set(),
  ) {
    this.#dictionary = dictionary;
    this.#missingCodes = missingCodes;
    this.#areDatesStored = dateFormat === 'YMD';
    const fixed = [
      ...missingColumns(dictionary, missingCodes),
      ...surveyColumns(dictionary),
      ...structureColumns(dictionary, type),
    ];
    this.#checks = new Map(fixed.map((check) => [check.name, check]));
  }

  /** @returns undefined for a column that no import may have */
  get(name: string): ColumnCheck | undefined {
    const known = this.#checks.get(name);
    if (known !== undefined) return known;
    const column = this.#dictionary.column(name);
    if (column === undefined)
      return this.#dictionary.field(name)?.type === 'descriptive' ? ignoring(name, 'descriptive') : undefined;
    const check = this.#checkOf(column);
    this.#checks.set(name, check);
    return check;
  }

  #checkOf({ name, field }: ExportColumn): ColumnCheck {
    if (field?.type === 'calc') return ignoring(name, 'calculated');
    if (field?.type === 'file') return ignoring(name, 'file');
    if (!this.#areDatesStored && field?.validationType.startsWith('date')) return free(name);
    const dictionary = this.#dictionary;
    const mayBeMissing = field !== undefined && field.type !== 'checkbox';
    return {
      name,
      accepts: dictionary.byteRule(name),
      ruleBrokenBy: (value) =>
        mayBeMissing && this.#missingCodes.has(value)
          ? undefined
          : (dictionary.validateValue(name, value) ?? dictionary.validateRange(name, value)),
      suggest: (value) => dictionary.suggestChoice(name, value),
    };
  }
}

/** A checkbox field has a column for each missing data code, too. @see docs/protocol/redcap.md 4.2, item 10 (doc) */
function missingColumns(dictionary: DataDictionary, missingCodes: ReadonlySet<string>): ColumnCheck[] {
  return dictionary.fields
    .filter((field) => field.type === 'checkbox')
    .flatMap(({ name }) =>
      [...missingCodes].map((code) =>
        keeping(checkboxColumnName(name, code), (value) =>
          value === '0' || value === '1' ? undefined : 'must be 0 or 1',
        ),
      ),
    );
}

/** REDCap accepts and ignores them; some of its projects have fields of these names, which come first. (doc, client) */
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
    keeping('redcap_event_name', (value) => (isEventName(value) ? undefined : EVENT_NAME_RULE)),
    keeping('redcap_repeat_instrument', (value) =>
      instruments.has(value) ? undefined : 'must be the unique name of an instrument',
    ),
    keeping('redcap_repeat_instance', type === 'flat' ? flatInstance : eavInstance),
    free('redcap_data_access_group'),
  ];
}

function keeping(name: string, rule: (value: string) => string | undefined): ColumnCheck {
  return { name, accepts: NO_BYTES, ruleBrokenBy: (value) => (value === '' ? undefined : rule(value)) };
}

function free(name: string): ColumnCheck {
  return { name, accepts: ANY_BYTES, ruleBrokenBy: anything };
}

function ignoring(name: string, ignored: IgnoredReason): ColumnCheck {
  return { name, ignored, accepts: ANY_BYTES, ruleBrokenBy: anything };
}

function anything(): undefined {
  return undefined;
}

function flatInstance(value: string): string | undefined {
  return value === 'new' || INSTANCE.test(value) ? undefined : 'must be a whole number from 1, or new';
}

function eavInstance(value: string): string | undefined {
  return INSTANCE.test(value) ? undefined : 'must be a whole number from 1';
}

const INSTANCE = /^[1-9]\d{0,8}$/;
