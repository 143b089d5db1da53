/**
 * What a stored text is by the type of its field: a number, a boolean, ISO 8601, the codes of a checkbox field, `null` for
 * nothing, `{ missing }` for a missing data code. With `labels` a code is `{ code, label }`. Text that does not fit its type
 * stays text.
 */
export type TypedValue =
  | string
  | number
  | boolean
  | null
  | { readonly missing: string }
  | { readonly code: string; readonly label: string }
  | readonly (string | { readonly code: string; readonly label: string })[];

/** A row with typed values: a checkbox field is one list, by the name of the field. */
export type TypedRow = Readonly<Record<string, TypedValue>>;
