/**
 * @returns the columns of a terminal; undefined where the stream is none, or the terminal does not know, as one that
 *   `script` or a CI server makes says 0
 */
export function terminalWidth(stream: { readonly columns?: number | undefined }): number | undefined {
  return stream.columns === undefined || stream.columns <= 0 ? undefined : stream.columns;
}
