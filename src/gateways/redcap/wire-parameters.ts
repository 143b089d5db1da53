/** A long text in parts, which are sent one after the other: put together it would be one large string more. */
export interface LongText {
  readonly parts: readonly string[];
}

/** The parameters of one call, under REDCap's own names. What is `undefined`, or an empty list, is not sent. */
export type WireParameters = Readonly<
  Record<string, string | number | boolean | readonly string[] | LongText | undefined>
>;
