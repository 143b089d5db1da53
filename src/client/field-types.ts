import type { Brand } from '../domain/identifiers/brand.js';

/**
 * The types of a field's value: as REDCap's text, typed, in an import and in a comparison. `crf types` writes one per
 * field.
 */
export interface FieldType<Raw extends string, Typed, Import, Compare extends string | number> {
  readonly raw: Raw;
  readonly typed: Typed;
  readonly import: Import;
  readonly compare: Compare;
}

type NumberText = `${number}` | '';

/** Any text. */
export type TextField = FieldType<string, string, string, string>;
/** A whole number, which REDCap stores as text. */
export type IntegerField = FieldType<string, number, number | NumberText, number>;
/** A number, which REDCap stores as text; in some validations with a decimal comma. */
export type NumberField = FieldType<string, number, number | NumberText | `${number},${number}`, number>;
/** Yes or no, true or false: `1` and `0` in REDCap, a boolean in typed rows. */
export type BooleanField = FieldType<'0' | '1' | '', boolean, boolean | '0' | '1' | '', '0' | '1'>;
/** `YYYY-MM-DD`. */
export type DateField = FieldType<string, string, string, string>;
/** Stored as `YYYY-MM-DD HH:MM`, typed as ISO 8601. */
export type DateTimeField = FieldType<string, string, string, string>;
/** `HH:MM`, with seconds if the validation has them. */
export type TimeField = FieldType<string, string, string, string>;
/** A radio button or drop-down list. */
export type ChoiceField<Code extends string> = FieldType<Code | '', Code, Code | '', Code> & {
  readonly code: Code;
};
/**
 * A checkbox field: one export column for each choice, and a list of codes in typed rows.
 *
 * @typeParam Columns the code of each export column
 */
export interface CheckboxField<Columns extends object> extends FieldType<
  '0' | '1' | '',
  readonly Columns[keyof Columns][],
  never,
  never
> {
  readonly columns: Columns;
}
/** Computed by REDCap. Imports ignore it. */
export type CalculatedNumberField = FieldType<string, number, unknown, number>;
/** Text that REDCap computes. Imports ignore it. */
export type CalculatedTextField = FieldType<string, string, unknown, string>;
/** A file. Its bytes are not part of a record: see `client.files`. */
export type FileField = FieldType<string, string, unknown, string> & { readonly isFile: true };
/** A record id of a project, branded so that it cannot be confused with other text in a row. */
export type ProjectRecordId = Brand<string, 'ProjectRecordId'>;
/** The field that holds the record id. */
export type RecordIdField = FieldType<ProjectRecordId, ProjectRecordId, string, string>;
