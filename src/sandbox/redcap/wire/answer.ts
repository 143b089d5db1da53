/** The forms of an answer. */
export type Format = 'json' | 'csv' | 'xml';

/** A cell is a string, a number where REDCap gives numbers, or a nested object (the rights of forms). */
export type Cell = string | number | Readonly<Record<string, number>>;

/** One row by column. */
export type Row = Readonly<Record<string, Cell>>;

/** A list, which every format writes in its own way. */
export interface ListAnswer {
  readonly kind: 'list';
  /** The columns and their order: the keys of JSON, the elements of XML, the header of CSV. */
  readonly columns: readonly string[];
  /** A cell for each column. */
  readonly rows: readonly (readonly Cell[])[];
  /** The root element in XML. */
  readonly root: 'records' | 'items';
  readonly csv: CsvStyle;
}

/** What differs between the CSV of one content and another. @see docs/protocol/redcap.md 1.8 (wire, client) */
export interface CsvStyle {
  /** A comma by default. */
  readonly delimiter?: string;
  /** The headings of the columns, where they are not their names. */
  readonly headings?: readonly string[];
  readonly hasTrailingLineFeed: boolean;
  /** Whether the header stands where there are no rows. @see docs/protocol/redcap.md 20 (client) */
  readonly hasHeaderAlways?: boolean;
  /** A column whose cells are always quoted. */
  readonly quotedColumn?: string;
  /** Whether a blank alone is no reason for quotes. */
  readonly hasBareBlanks?: boolean;
}

/** What an operation answers, before it is written in a format. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | ListAnswer
  | { readonly kind: 'object'; readonly row: Row }
  /** A file: its bytes, its media type, and its name in the content type. @see docs/protocol/redcap.md 11.1 (client) */
  | {
      readonly kind: 'bytes';
      readonly bytes: Buffer;
      readonly type: string;
      /** Without it the content type names none. */
      readonly fileName: string | undefined;
    }
  /** A body that is written already, in a format that the operation chose. */
  | { readonly kind: 'written'; readonly body: string; readonly format: Format };
