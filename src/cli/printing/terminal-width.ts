/**
 * @returns the width of a terminal; undefined if the stream is not a terminal or its width is unknown, as in terminals
 * of `script` or CI servers, which report 0
 */
export function terminalWidth(stream: { readonly columns?: number | undefined }): number | undefined {
  return stream.columns === undefined || stream.columns <= 0 ? undefined : stream.columns;
}
