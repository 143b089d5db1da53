/**
 * A stored text converted by the type of its field: a number, a boolean, ISO 8601, the codes of a checkbox field,
 * `null` for blank, `{ missing }` for a missing data code. With `labels`, a code is `{ code, label }`. Text that does
 * not match the type stays text.
 */
export type TypedValue =
  | string
  | number
  | boolean
  | null
  | { readonly missing: string }
  | { readonly code: string; readonly label: string }
  | readonly (string | { readonly code: string; readonly label: string })[];

/** A row with typed values. A checkbox field is one list under the name of the field. */
export type TypedRow = Readonly<Record<string, TypedValue>>;
