import { InvalidRequestError } from '../domain/errors/caller-errors.js';

/**
 * Converts times of REDCap's server, which REDCap returns and accepts without a time zone. If the zone is known, they
 * get an offset and are unambiguous. Otherwise they have no offset and remain in local time.
 */
export class ServerTime {
  readonly #offsets: Intl.DateTimeFormat | undefined;
  #last: { readonly local: string; readonly offset: string } | undefined;

  /** @param zone the time zone of REDCap's server, such as `Europe/Paris`; undefined if it is not known */
  constructor(readonly zone: string | undefined) {
    this.#offsets =
      zone === undefined
        ? undefined
        : new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  }

  /** @returns `2026-01-31 08:15[:00]` as `2026-01-31T08:15:00+01:00`, without an offset if the zone is not known */
  toText(local: string): string {
    const iso = local.replace(' ', 'T');
    const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(iso) ? `${iso}:00` : iso;
    return `${moment}${this.#offsetOf(moment)}`;
  }

  /**
   * Converts a time to the minutes that REDCap accepts: `2026-01-31 08:15`.
   *
   * @param moment a date, or a date and time with or without an offset; without one it is in the server's time zone
   * @param edge what a date without a time stands for: the first or the last minute of the day
   * @throws {InvalidRequestError} it is not a valid time, or it has an offset and the zone of the server is not known
   */
  toMinute(field: string, moment: string, edge: 'start' | 'end' = 'start'): string {
    const match = MOMENT.exec(moment);
    const [, date = '', time, offset] = match ?? [];
    if (match === null || !isDate(`${date}T${time?.slice(0, 5) ?? '00:00'}Z`)) throw refused(field, FORM);
    if (offset === undefined) return `${date} ${time?.slice(0, 5) ?? (edge === 'start' ? '00:00' : '23:59')}`;
    if (this.#offsets === undefined) throw refused(field, NO_ZONE);
    const instant = Date.parse(`${date}T${time ?? ''}${offset.toUpperCase()}`);
    if (Number.isNaN(instant)) throw refused(field, FORM);
    const local = new Date(instant + this.#minutesAt(instant) * 60_000).toISOString();
    return local.slice(0, 16).replace('T', ' ');
  }

  /** Caches the last offset, because consecutive log entries often have the same time. */
  #offsetOf(local: string): string {
    if (this.#offsets === undefined || !isDate(`${local}Z`)) return '';
    if (this.#last?.local !== local) {
      const asUtc = Date.parse(`${local}Z`);
      // The offset is looked up again at the approximate instant, because it may differ from the one at the same UTC
      // time.
      const guess = asUtc - this.#minutesAt(asUtc) * 60_000;
      const minutes = this.#minutesAt(guess);
      this.#last = { local, offset: minutes === 0 ? 'Z' : toOffset(minutes) };
    }
    return this.#last.offset;
  }

  #minutesAt(instant: number): number {
    const parts = this.#offsets?.formatToParts(instant) ?? [];
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  }
}

/**
 * A date, or a date and time. Without an offset it is in the time zone of REDCap's server. With an offset it is
 * converted, which requires `CAPTURE_TIME_ZONE`.
 * @pattern ^\d{4}-\d{2}-\d{2}([T\x20]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$ must be a date, or a date and time, as in 2026-01-31 or 2026-01-31T08:15:00Z
 * @example "2026-01-31T08:15:00Z"
 */
export type MomentText = string;

const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/i;
const FORM = 'must be a date, or a date and a time, as in 2026-01-31 or 2026-01-31T08:15:00Z';
const NO_ZONE =
  "has an offset, but the time zone of REDCap's server is not known: set CAPTURE_TIME_ZONE, or leave the offset out for the server's own time";

/** Returns whether the date exists, unlike `2026-02-30`. */
function isDate(iso: string): boolean {
  const time = Date.parse(iso);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === iso.slice(0, 10);
}

function toOffset(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function refused(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}
