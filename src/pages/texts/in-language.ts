/** The texts, numbers, times and plurals of a language. Its times are in UTC. */
export interface InLanguage {
  /** The value of `lang` in HTML. */
  readonly lang: 'en' | 'de';
  /** Returns the text of this language; one that is missing does not compile. */
  readonly t: <Text>(english: Text, german: Text) => Text;
  /**
   * Returns a formatted number, such as `12,500`. `1985` stays as it is, because it may be a year. Numbers too small or
   * too large for that are returned with a power of ten, such as `2.5e-9`.
   */
  readonly number: (value: number) => string;
  /** Returns a percentage, such as `78.7 %`, which stays on one line. */
  readonly percent: (value: number) => string;
  /** Returns a count with its noun, such as `1 record` or `12,500 records`. */
  readonly counted: (count: number, one: string, other: string) => string;
  /** Returns the date of a day such as `2026-11-20`: `20 Nov 2026`; what is no day, unchanged. */
  readonly date: (day: string) => string;
  /** Returns the month of a day, such as `Nov`. */
  readonly month: (day: string) => string;
  /** Returns the day without its year, such as `20 Nov`. */
  readonly dayOfYear: (day: string) => string;
  /** Returns a choice of several things, such as `a.org, b.org or c.org`. */
  readonly list: (things: readonly string[]) => string;
  /**
   * Returns a time such as `20 Nov 2026, 20:00 UTC`. One without an offset, as REDCap's server has it, stays as it is
   * and gets no zone; what is no time is returned unchanged.
   */
  readonly moment: (iso: string) => string;
  /** Returns the time of a day, such as `20:00 UTC`, by the same rules. */
  readonly time: (iso: string) => string;
  /** Returns the times of this language in a time zone, such as `Europe/Paris`: `20 Nov 2026, 21:00 CET`. */
  readonly timesIn: (timeZone: string) => Pick<InLanguage, 'moment' | 'time'>;
}

const [LEAST, GREATEST] = [1e-4, 1e12];

/** @param locale whose conventions hold, such as `en-GB` */
function inLanguage(lang: InLanguage['lang'], locale: string): InLanguage {
  const number = numberIn(locale);
  const plurals = new Intl.PluralRules(locale);
  const dates = (options: Intl.DateTimeFormatOptions): ((iso: string) => string) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (iso) => {
      const date = new Date(iso);
      return Number.isNaN(date.getTime()) ? iso : format.format(date);
    };
  };
  const lists = new Intl.ListFormat(locale, { type: 'disjunction' });
  return {
    lang,
    t: (english, german) => (lang === 'en' ? english : german),
    number,
    percent: (value) => `${number(value)}\u00a0%`,
    counted: (count, one, other) => `${number(count)} ${plurals.select(count) === 'one' ? one : other}`,
    date: dates({ dateStyle: 'medium' }),
    month: dates({ month: 'short' }),
    dayOfYear: dates({ day: 'numeric', month: 'short' }),
    list: (things) => lists.format(things),
    ...timesIn(locale, 'UTC'),
    timesIn: (timeZone) => timesIn(locale, timeZone),
  };
}

function timesIn(locale: string, timeZone: string): ReturnType<InLanguage['timesIn']> {
  const names = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
  // Intl takes no name of a zone beside the styles of a date and a time, which are those of every other date here.
  const nameAt = (date: Date): string =>
    names.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  const times = (options: Intl.DateTimeFormatOptions): ((iso: string) => string) => {
    const inZone = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    const asGiven = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (iso) => {
      const isKnown = hasOffset(iso);
      const date = new Date(isKnown ? iso : `${iso}Z`);
      if (Number.isNaN(date.getTime())) return iso;
      return isKnown ? `${inZone.format(date)} ${nameAt(date)}` : asGiven.format(date);
    };
  };
  return { moment: times({ dateStyle: 'medium', timeStyle: 'short' }), time: times({ timeStyle: 'short' }) };
}

/** Returns whether a time in ISO 8601 says of which zone it is. */
export function hasOffset(iso: string): boolean {
  return /(?:Z|[+-]\d\d:\d\d)$/.test(iso);
}

function numberIn(locale: string): InLanguage['number'] {
  const plain = new Intl.NumberFormat(locale, {
    maximumFractionDigits: 3,
    useGrouping: 'min2',
    signDisplay: 'negative', // no `-0`
  });
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const power = new Intl.NumberFormat(locale, { notation: 'scientific', maximumSignificantDigits: 4 });
  return (value) => {
    const size = Math.abs(value);
    if (size !== 0 && (size < LEAST || size >= GREATEST)) return power.format(value).toLowerCase();
    return size !== 0 && size < 0.1 ? small.format(value) : plain.format(value);
  };
}

export const ENGLISH = inLanguage('en', 'en-GB');
export const GERMAN = inLanguage('de', 'de');
