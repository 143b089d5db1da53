/**
 * The parameters of one call, under REDCap's own names. `undefined` and empty lists are not sent. A buffer is UTF-8
 * text.
 */
export type WireParameters = Readonly<
  Record<string, string | number | boolean | readonly string[] | Buffer | undefined>
>;
