import { refusal } from '../errors/refusal.js';
import { isDay } from './text-validations.js';

/**
 * Converts times of REDCap's server, which REDCap returns and accepts without a time zone. If the zone is known, they
 * get an offset and are unambiguous. Otherwise they have no offset and remain in local time.
 */
export class ServerTime {
  readonly #offsets: Intl.DateTimeFormat | undefined;
  #last: { readonly local: string; readonly offset: string } | undefined;

  /** @param zone the time zone of REDCap's server, such as `Europe/Paris`; undefined if it is not known */
  constructor(
    readonly zone?: string,
    private readonly clock = () => new Date(),
  ) {
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
   * Returns the first and the last second of a period, `2026-01-31 08:15:00`, in the server's time. What is not said is
   * part of it: `until` a day includes the day, `until` a minute the minute. What has no bound keeps none.
   *
   * @param names what an error calls the bounds
   * @throws {InvalidRequestError} a bound breaks the rule of `MomentText`, or needs the zone of the server and it is not
   *   known, or the period ends before it begins
   */
  periodOf({ from, until }: Period, names = PERIOD_NAMES): Period {
    const first = from === undefined ? undefined : this.#secondOf(from, '0000-01-01 00:00:00', names.from);
    const last = until === undefined ? undefined : this.#secondOf(until, '9999-12-31 23:59:59', names.until);
    if (first !== undefined && last !== undefined && first > last)
      throw refusal(names.from, `must not be later than ${names.until}`);
    return { ...(first !== undefined && { from: first }), ...(last !== undefined && { until: last }) };
  }

  /** @param rest completes a day or a minute */
  #secondOf(text: string, rest: string, name: string): string {
    const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
    const [, day, time = '', offset = ''] = MOMENT.exec(text) ?? [];
    if (count === undefined && (day === undefined || !isDay(day))) throw refusal(name, FORM);
    let second = `${day} ${time.slice(0, 8)}`;
    if (count !== undefined || offset !== '') {
      if (this.#offsets === undefined) throw refusal(name, NO_ZONE);
      const minutes = Number(count) * (unit === 'm' ? 1 : unit === 'h' ? 60 : 24 * 60);
      const instant =
        count === undefined
          ? Date.parse(`${day}T${time}${offset.toUpperCase()}`)
          : this.clock().getTime() - minutes * 60_000;
      const local = new Date(instant + this.#minutesAt(instant) * 60_000).toISOString().replace('T', ' ');
      second = local.slice(0, count === undefined ? second.length : rest.length);
    }
    return second + rest.slice(second.length);
  }

  /** Caches the last offset, because consecutive log entries often have the same time. */
  #offsetOf(local: string): string {
    if (this.#offsets === undefined || Number.isNaN(Date.parse(`${local}Z`))) return '';
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
 * A day (`from` its first second, `until` its last), a moment (`2026-01-31 08:30`), or as long ago as `30m`, `24h` or
 * `7d`. A day and a moment without an offset are in the time zone of REDCap's server; an offset and what is as long ago
 * require `CAPTURE_TIME_ZONE`.
 * @pattern ^(\d{4}-\d{2}-\d{2}([T\x20]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?|\d{1,5}[mhd])$ must be a day, a moment or as long ago, as in 2026-01-31, 2026-01-31 08:30 or 24h
 * @example "2026-01-31"
 */
export type MomentText = string;

/** A range of time; each bound is part of it. */
export interface Period {
  readonly from?: MomentText | undefined;
  readonly until?: MomentText | undefined;
}

const PERIOD_NAMES = { from: 'from', until: 'until' };
const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/i;
const FORM = 'must be a day, a moment or as long ago, as in 2026-01-31, 2026-01-31 08:30 or 24h';
const NO_ZONE =
  "requires the time zone of REDCap's server, which is not known: set CAPTURE_TIME_ZONE, or give a day or a moment of the server's own time";

function toOffset(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
