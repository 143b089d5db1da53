/** The forms of an answer. */
export type Format = 'json' | 'csv' | 'xml';

/** One row of a list: cells are strings, numbers where REDCap gives numbers, or nested objects (rights of forms). */
export type Row = Readonly<Record<string, string | number | Readonly<Record<string, number>>>>;

/** What an operation answers, before it is written in a format. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'rows';
      readonly rows: readonly Row[];
      /** The columns and their order, for CSV: an empty list then is an empty body. */
      readonly columns: readonly string[];
      /** The headings of the columns, where they are not their names. */
      readonly headings?: readonly string[];
      /** The root element in XML. */
      readonly root: 'records' | 'items';
      readonly hasTrailingLineFeed: boolean;
      readonly delimiter?: string;
    }
  | { readonly kind: 'object'; readonly row: Row }
  /** A body that is written already, in the format of the answer. */
  | { readonly kind: 'written'; readonly body: string };

/** REDCap's refusal of a call: a status and a sentence, written in the format that the call asked errors in. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(text);
  }
}
