/** A request, as it is sent. */
export interface FuzzRequest {
  readonly method: string;
  /** With the query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** What of it the document forbids; undefined when it keeps to the document, or nobody knows. */
  readonly broken: string | undefined;
}

/** Makes a header of any text: what a header cannot hold is taken out. */
export function headerText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/gu, '').trim();
}
