/** Returns a time such as `2026-11-20 21:00 UTC`, the same for every reader and browser. */
export function momentInWords(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A time in the words of `momentInWords`, which are kept on one line. */
export function Moment({ at }: { readonly at: string }) {
  return <time datetime={at}>{momentInWords(at)}</time>;
}
