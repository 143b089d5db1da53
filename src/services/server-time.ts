import { InvalidRequestError } from '../errors/caller-errors.js';

/**
 * Moments in the time of REDCap's server, which REDCap gives and takes without saying which zone it is. With a zone they
 * become moments that everybody reads alike; without one they stay as they are, and are told apart by having no offset.
 */
export class ServerTime {
  readonly #offsets: Intl.DateTimeFormat | undefined;
  #last: { readonly local: string; readonly offset: string } | undefined;

  /** @param zone the zone of REDCap's server, as in `Europe/Paris`; undefined when nobody said it */
  constructor(readonly zone: string | undefined) {
    this.#offsets =
      zone === undefined
        ? undefined
        : new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  }

  /** @returns `2026-01-31 08:15[:00]` as `2026-01-31T08:15:00+01:00`, without the offset when the zone is not known */
  toText(local: string): string {
    const iso = local.replace(' ', 'T');
    const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(iso) ? `${iso}:00` : iso;
    return `${moment}${this.#offsetOf(moment)}`;
  }

  /**
   * A minute as REDCap takes it: `2026-01-31 08:15`.
   *
   * @param moment a date, or a date and a time with or without an offset; without one it is the server's time
   * @param edge what a date without a time stands for: the first minute of the day, or the last
   * @throws {InvalidRequestError} it is no moment, or it has an offset and the zone of the server is not known
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

  /** Entries of a log stand in order: most have the offset of the one before. */
  #offsetOf(local: string): string {
    if (this.#offsets === undefined || !isDate(`${local}Z`)) return '';
    if (this.#last?.local !== local) {
      const asUtc = Date.parse(`${local}Z`);
      // The offset at the moment itself decides, not the one at the same reading of a clock in London.
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

const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/i;
const FORM = 'must be a date, or a date and a time, as in 2026-01-31 or 2026-01-31T08:15:00Z';
const NO_ZONE =
  "has an offset, but the time zone of REDCap's server is not known: set CAPTURE_TIME_ZONE, or leave the offset out for the server's own time";

/** `2026-02-30` is a reading of no calendar. */
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
