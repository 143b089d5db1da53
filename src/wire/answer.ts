/** The formats of an answer. */
export type Format = 'json' | 'csv' | 'xml';

/** A string, a number where REDCap returns one, or a nested object (rights by form). */
export type Cell = string | number | Readonly<Record<string, number>>;

/** One row: its cells by column. */
export type Row = Readonly<Record<string, Cell>>;

/** A list, which every format writes in its own way. */
export interface ListAnswer {
  readonly kind: 'list';
  /** The columns in order: keys in JSON, elements in XML, the header in CSV. */
  readonly columns: readonly string[];
  /** One cell per column in each row. */
  readonly rows: readonly (readonly Cell[])[];
  /** The root element in XML. */
  readonly root: 'records' | 'items' | 'folders';
  /** The element of a row in XML; `item` by default. */
  readonly element?: string;
  readonly csv: CsvStyle;
}

/** How the CSV of one content differs from another's. @see docs/protocol/redcap.md 1.8 (wire, client) */
export interface CsvStyle {
  /** A comma by default. */
  readonly delimiter?: string;
  /** The headings of the columns; by default, the column names. */
  readonly headings?: readonly string[];
  readonly hasTrailingLineFeed: boolean;
  /** A column whose cells are always quoted. */
  readonly quotedColumn?: string;
  /** Whether cells with spaces or tabs stay unquoted. */
  readonly hasBareBlanks?: boolean;
}

/** The result of an action, before it is written in a format. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | ListAnswer
  | {
      readonly kind: 'object';
      readonly row: Row;
      /** Whether its item stands in XML without a list around it. @see docs/protocol/redcap.md 20 (doc) */
      readonly isBareItem?: boolean;
    }
  /** A file with its media type and the name to put in it. @see docs/protocol/redcap.md 11.1 (client) */
  | {
      readonly kind: 'bytes';
      readonly bytes: Buffer;
      readonly type: string;
      /** If undefined, the content type has no name. */
      readonly fileName: string | undefined;
    }
  /** A body that the action has written itself, in a format of its choice. */
  | { readonly kind: 'written'; readonly body: string; readonly format: Format };

/** Answers with a list of rows with the given columns, in this order. Missing cells are blank. */
export function listAnswer(
  rows: readonly Row[],
  columns: readonly string[],
  csv: Partial<CsvStyle> = {},
): ListAnswer {
  const readers = columns.map((column) => [column, (row: Row) => row[column] ?? ''] as const);
  return tableAnswer(rows, Object.fromEntries(readers), csv);
}

/** Answers with a row for each item: the columns, in this order, with what each of them says of an item. */
export function tableAnswer<Item>(
  items: readonly Item[],
  columns: Readonly<Record<string, (item: Item) => Cell>>,
  csv: Partial<CsvStyle> = {},
): ListAnswer {
  const readers = Object.values(columns);
  return {
    kind: 'list',
    columns: Object.keys(columns),
    rows: items.map((item) => readers.map((read) => read(item))),
    root: 'items',
    csv: { hasTrailingLineFeed: true, ...csv },
  };
}

/**
 * Answers with a plain integer in every format, as imports of the project's structure, deletes and renames do.
 *
 * @see docs/protocol/redcap.md 1.8 (client)
 */
export function integerAnswer(count: number, { returnFormat }: { readonly returnFormat: Format }): Answer {
  return { kind: 'written', body: String(count), format: returnFormat };
}
