import { toDictionaryRow } from '../../../domain/dictionary/dictionary-csv.js';
import { BLANK_FIELD, type Field } from '../../../domain/dictionary/field.js';
import * as z from 'zod';
import { listOfObjects, options, type Shape } from '../../../domain/identifiers/check-options.js';
import { fieldName, instrumentName, listed, narrowing } from './argument-values.js';
import { CALL, type CallOptions, WRITE, type WriteOptions } from '../call-options.js';
import { FieldRows } from '../rows.js';
import { renamed, requiredText, text } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';

/** Selects fields of the data dictionary. A list must have at least one name. */
export interface FieldSelection extends CallOptions {
  readonly fields?: readonly string[] | undefined;
  readonly forms?: readonly string[] | undefined;
}

/** A text validation of this REDCap. Sites can add their own. */
export interface FieldValidation {
  /** As in a field's `validationType`. */
  readonly name: string;
  /** A pattern in PHP's notation, including its delimiters. */
  readonly pattern: string;
}

/** The export column of a field, or of one choice of a checkbox field. */
export interface ExportFieldName {
  /** The field of the data dictionary, or `<instrument>_complete`. */
  readonly field: string;
  /** The code of the choice, for checkbox fields; empty otherwise. */
  readonly code: string;
  /** The export column, such as `sites___2`. */
  readonly column: string;
}

export const FIELD_NAME_COLUMNS = {
  field: ['original_field_name', requiredText],
  code: ['choice_value', text],
  column: ['export_field_name', requiredText],
} as const;

const ExportFieldNameRows: z.ZodType<ExportFieldName[]> = z.array(renamed(FIELD_NAME_COLUMNS));

export const VALIDATION_COLUMNS = {
  name: ['validation_type', requiredText],
  pattern: ['regex', text],
} as const;

const ValidationRows: z.ZodType<FieldValidation[]> = z.array(renamed(VALIDATION_COLUMNS));

/** `content=metadata`. @see docs/protocol/redcap.md 8.1 (wire), 8.8 (client, doc) */
export class Fields {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the data dictionary, in its own order: the whole of it, or the requested fields. */
  list({ fields, forms, ...options }: FieldSelection = {}): Promise<Field[]> {
    return this.calls.list({ content: 'metadata', fields, forms }, FieldRows, options);
  }

  /**
   * Replaces the whole data dictionary and removes the fields that are left out. Only while the project is in
   * development.
   *
   * @returns how many fields the project then has
   */
  async put(fields: readonly Field[], options: WriteOptions = {}): Promise<number> {
    return this.calls.import('metadata', fields.map(toDictionaryRow), options, { isRepeatable: true });
  }
}

/** `content=exportFieldNames`. @see docs/protocol/redcap.md 8.6 (client) */
export class ExportFieldNames {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the export columns of all fields, or of one. File and descriptive fields have none. */
  async list({ field, ...options }: CallOptions & { readonly field?: string | undefined } = {}): Promise<
    ExportFieldName[]
  > {
    return this.calls.list({ content: 'exportFieldNames', field }, ExportFieldNameRows, options);
  }
}

/** `content=fieldValidation`. @see docs/protocol/redcap.md 8.5 (doc) */
export class FieldValidations {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the text validations of this REDCap. */
  list(options: CallOptions = {}): Promise<FieldValidation[]> {
    return this.calls.list({ content: 'fieldValidation', action: 'export' }, ValidationRows, options);
  }
}

/** Every property of a field, none of which REDCap misunderstands. */
const FIELD = Object.fromEntries(
  Object.keys(BLANK_FIELD).map((name) => [name, z.unknown().optional()]),
) as unknown as Shape<Field>; // a blank field has every property

const SELECTION = {
  ...CALL,
  fields: narrowing(listed(fieldName)).optional(),
  forms: narrowing(listed(instrumentName)).optional(),
} satisfies Shape<FieldSelection>;

export const FIELDS = content(Fields, {
  list: [options(SELECTION)],
  put: [listOfObjects('fields', FIELD), options(WRITE)],
});

export const EXPORT_FIELD_NAMES = content(ExportFieldNames, {
  list: [options({ ...CALL, field: fieldName.optional() })],
});

export const FIELD_VALIDATIONS = content(FieldValidations, { list: [options(CALL)] });
