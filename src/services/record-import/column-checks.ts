import { checkboxColumnName, type ExportColumn } from '../../dictionary/export-column.js';
import type { DataDictionary } from '../../dictionary/data-dictionary.js';
import { isEventName, EVENT_NAME_RULE } from '../../identifiers/event-name.js';
import type { ImportRequest } from './import-request.js';

/** What may stand in one column of an import. */
export interface ColumnCheck {
  /** REDCap computes it: it is left out of what is sent. */
  readonly isDropped: boolean;
  /** @returns the rule that the value breaks, as the end of a sentence without the value */
  readonly ruleBrokenBy: (value: string) => string | undefined;
}

/**
 * What may stand in the columns of an import: for a field a value that its type, validation, choices and limits allow,
 * or a missing data code. What is calculated is dropped, a file must be blank, and a descriptive field has no column.
 * Dates in another order than YMD are left to REDCap.
 *
 * @see protocol reference 5.2 (doc, client, choice)
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
    this.#checks = new Map([
      ...missingColumns(dictionary, missingCodes),
      ...(type === 'flat' ? surveyColumns(dictionary) : []),
      ...structureColumns(dictionary, type),
    ]);
  }

  /** @returns undefined for a column that no import may have */
  get(name: string): ColumnCheck | undefined {
    const known = this.#checks.get(name);
    if (known !== undefined) return known;
    const column = this.#dictionary.column(name);
    if (column === undefined) return undefined;
    const check = this.#checkOf(column);
    this.#checks.set(name, check);
    return check;
  }

  #checkOf({ name, field }: ExportColumn): ColumnCheck {
    if (field?.type === 'calc') return { isDropped: true, ruleBrokenBy: anything };
    if (field?.type === 'file') return keeping(onlyBlank);
    if (!this.#areDatesStored && field?.validationType.startsWith('date')) return keeping(anything);
    const mayBeMissing = field !== undefined && field.type !== 'checkbox';
    return keeping((value) =>
      mayBeMissing && this.#missingCodes.has(value)
        ? undefined
        : (this.#dictionary.validateValue(name, value) ?? this.#dictionary.validateRange(name, value)),
    );
  }
}

/** A checkbox field has a column for each missing data code, too. @see protocol reference 4.2, item 10 (doc) */
function missingColumns(
  dictionary: DataDictionary,
  missingCodes: ReadonlySet<string>,
): [string, ColumnCheck][] {
  const isChecked = keeping((value) => (value === '0' || value === '1' ? undefined : 'must be 0 or 1'));
  return dictionary.fields
    .filter((field) => field.type === 'checkbox')
    .flatMap(({ name }) =>
      [...missingCodes].map((code): [string, ColumnCheck] => [checkboxColumnName(name, code), isChecked]),
    );
}

function surveyColumns(dictionary: DataDictionary): [string, ColumnCheck][] {
  const stamps = dictionary.instruments.map((instrument) => `${instrument}_timestamp`);
  return [...stamps, 'redcap_survey_identifier'].map((name) => [name, keeping(anything)]);
}

function structureColumns(
  dictionary: DataDictionary,
  type: 'flat' | 'eav',
): readonly (readonly [string, ColumnCheck])[] {
  const instruments = new Set(dictionary.instruments);
  return [
    ['redcap_event_name', keeping((value) => (isEventName(value) ? undefined : EVENT_NAME_RULE))],
    [
      'redcap_repeat_instrument',
      keeping((value) => (instruments.has(value) ? undefined : 'must be the unique name of an instrument')),
    ],
    ['redcap_repeat_instance', keeping(type === 'flat' ? flatInstance : eavInstance)],
    ['redcap_data_access_group', keeping(anything)],
  ];
}

function keeping(rule: (value: string) => string | undefined): ColumnCheck {
  return { isDropped: false, ruleBrokenBy: (value) => (value === '' ? undefined : rule(value)) };
}

function anything(): undefined {
  return undefined;
}

function onlyBlank(): string {
  return 'is a file, which records cannot bring: leave the column out';
}

function flatInstance(value: string): string | undefined {
  return value === 'new' || INSTANCE.test(value) ? undefined : 'must be a whole number from 1, or new';
}

function eavInstance(value: string): string | undefined {
  return INSTANCE.test(value) ? undefined : 'must be a whole number from 1';
}

const INSTANCE = /^[1-9]\d{0,8}$/;
