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
 * Every column an import may have, by name, with what it may hold. Dates in another order than YMD are left to REDCap.
 *
 * @see protocol reference 5.2 (doc, client, choice)
 */
export function columnChecks(
  dictionary: DataDictionary,
  { dateFormat = 'YMD', type = 'flat' }: ImportRequest,
): ReadonlyMap<string, ColumnCheck> {
  const checks = new Map<string, ColumnCheck>();
  for (const { name, field } of dictionary.exportColumns()) {
    if (field?.type === 'calc') checks.set(name, { isDropped: true, ruleBrokenBy: anything });
    else if (field?.type === 'file') checks.set(name, keeping(onlyBlank));
    else if (dateFormat !== 'YMD' && field?.validationType.startsWith('date')) {
      checks.set(name, keeping(anything));
    } else {
      checks.set(
        name,
        keeping((value) => dictionary.validateValue(name, value) ?? dictionary.validateRange(name, value)),
      );
    }
  }
  if (type === 'flat') for (const [name, check] of surveyColumns(dictionary)) checks.set(name, check);
  for (const [name, check] of structureColumns(dictionary, type)) checks.set(name, check);
  return checks;
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
  return 'is a file: it cannot be imported with records';
}

function flatInstance(value: string): string | undefined {
  return value === 'new' || INSTANCE.test(value) ? undefined : 'must be a whole number from 1, or new';
}

function eavInstance(value: string): string | undefined {
  return INSTANCE.test(value) ? undefined : 'must be a whole number from 1';
}

const INSTANCE = /^[1-9]\d{0,8}$/;
