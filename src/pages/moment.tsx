import type { Texts } from './texts/en.js';

/** A time such as `20 Nov 2026, 21:00 UTC`, which is kept on one line. */
export function Moment({ at, t }: { readonly at: string; readonly t: Pick<Texts, 'moment'> }) {
  return <time datetime={at}>{t.moment(at)}</time>;
}
