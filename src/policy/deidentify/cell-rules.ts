import { daysIn, isTextOf, numberAt } from '../../domain/dictionary/text-validations.js';
import { SPARSE_ZIP_AREAS } from './sparse-zip-areas.js';

/** How the cells of a field are changed. */
export type CellRule =
  /** Dates and times into the past, by the days of the record; the time of day stays. */
  | { readonly kind: 'shift' }
  /** Dates and times to their year. */
  | { readonly kind: 'year' }
  /** Ages from `top` on to `top`. */
  | { readonly kind: 'age'; readonly top: number }
  /** ZIP codes to the first three digits; those of areas with few people to `000`. */
  | { readonly kind: 'zip' };

/** What the change of a cell depends on besides its value. */
export interface CellContext {
  /** Days of the record, from `RecordKeys.daysOf`. */
  readonly days: number;
  /** Earlier years become this one, because they tell that somebody is old; undefined for no limit. */
  readonly firstYear: number | undefined;
}

const TIME_BEHIND_DATE = /^(?:| (?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)$/;
const AGE = /^\d{1,3}(?:[.,]\d{1,15})?$/;
const ZIP = /^(\d{3})\d{2}(?:-\d{4})?$/;

/** Returns the changed value of a cell; blank if the value has another form than the rule is for. */
export function changedCell(rule: CellRule, value: string, { days, firstYear = 0 }: CellContext): string {
  switch (rule.kind) {
    case 'shift':
      return shifted(value, days);
    case 'year':
      return isDate(value) ? `${Math.max(Number(value.slice(0, 4)), firstYear)}` : '';
    case 'age':
      if (!AGE.test(value)) return '';
      return Number(value.replace(',', '.')) >= rule.top ? `${rule.top}` : value;
    case 'zip': {
      const area = ZIP.exec(value)?.[1];
      if (area === undefined) return '';
      return SPARSE_ZIP_AREAS.has(area) ? '000' : area;
    }
  }
}

function isDate(value: string): boolean {
  return TIME_BEHIND_DATE.test(value.slice(10)) && isTextOf('date_ymd', value.slice(0, 10));
}

/** Counts back month by month: with a `Date` for each cell, it would take six times as long. */
function shifted(value: string, days: number): string {
  if (!isDate(value)) return '';
  let year = numberAt(value, 0, 4);
  let month = numberAt(value, 5, 7);
  let day = numberAt(value, 8, 10) - days;
  while (day < 1) {
    month = month === 1 ? 12 : month - 1;
    if (month === 12) year -= 1;
    day += daysIn(year, month);
  }
  if (year < 0) return '';
  return `${`${year}`.padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}${value.slice(10)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
