/** The numbers, times and plurals of a language. */
export interface InLanguage {
  /** The value of `lang` in HTML. */
  readonly lang: 'en' | 'de';
  /** Returns a formatted number, such as `12,500`. */
  readonly number: (value: number) => string;
  /** Returns a count with its noun, such as `1 record` or `12,500 records`. */
  readonly counted: (count: number, one: string, other: string) => string;
  /** Returns a time such as `20 Nov 2026, 20:00 UTC`; what is no time, unchanged. */
  readonly moment: (iso: string) => string;
  /** Returns a choice of several things, such as `a.org, b.org or c.org`. */
  readonly list: (things: readonly string[]) => string;
  /** Returns the time of a day, such as `20:00 UTC`. */
  readonly time: (iso: string) => string;
}

/** @param locale whose conventions hold, such as `en-GB` */
export function inLanguage(lang: InLanguage['lang'], locale: string): InLanguage {
  const numbers = new Intl.NumberFormat(locale);
  const plurals = new Intl.PluralRules(locale);
  const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  const lists = new Intl.ListFormat(locale, { type: 'disjunction' });
  const moments = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return {
    lang,
    number: (value) => numbers.format(value),
    counted: (count, one, other) =>
      `${numbers.format(count)} ${plurals.select(count) === 'one' ? one : other}`,
    moment: (iso) => {
      const date = new Date(iso);
      return Number.isNaN(date.getTime()) ? iso : `${moments.format(date)} UTC`;
    },
    list: (things) => lists.format(things),
    time: (iso) => `${times.format(new Date(iso))} UTC`,
  };
}
