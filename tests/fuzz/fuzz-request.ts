/** A request as sent. */
export interface FuzzRequest {
  readonly method: string;
  /** The path with the encoded query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** The rule of the document that the request breaks; undefined if it conforms or this is unknown. */
  readonly broken: string | undefined;
}

/** Makes a header from any text by removing characters that a header cannot contain. */
export function headerText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/gu, '').trim();
}
