/**
 * The parameters of one call, under REDCap's own names. What is `undefined`, or an empty list, is not sent. A buffer is a
 * text in UTF-8.
 */
export type WireParameters = Readonly<
  Record<string, string | number | boolean | readonly string[] | Buffer | undefined>
>;
