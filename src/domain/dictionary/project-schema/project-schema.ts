import {
  RECORD_ID_MAX_LENGTH,
  RECORD_ID_MIN_LENGTH,
  RECORD_ID_PATTERN,
  recordIdRule,
} from '../../identifiers/record-id.js';
import { groupBy, type ExportColumn } from '../export-column.js';
import type { ProjectStructure } from '../project-structure.js';
import { rawColumnSchema, typedFieldSchema, type JsonSchema } from './field-schema.js';

export interface SchemaOptions {
  /** REDCap's text, or typed values. */
  readonly values: 'raw' | 'typed';
  /** The minimum length of the id of a new record; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
}

/**
 * Returns the rows of each instrument as a JSON Schema, draft 2020-12. `$defs` has a schema for each instrument under
 * its name, and the whole schema accepts a row of any instrument. A row is valid if an import would accept it as
 * the row of an existing record. Limits are soft in REDCap, so they are only described.
 */
export function projectSchema(structure: ProjectStructure, options: SchemaOptions): JsonSchema {
  const columns = groupBy(structure.dictionary.exportColumns(), ({ instrument }) => instrument);
  const { instruments } = structure.dictionary;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Rows of the project, ${options.values} values`,
    ...(instruments.length > 0 && { anyOf: instruments.map((name) => ({ $ref: `#/$defs/${name}` })) }),
    $defs: Object.fromEntries(
      instruments.map((name) => [name, instrumentSchema(structure, name, columns.get(name) ?? [], options)]),
    ),
  };
}

function instrumentSchema(
  structure: ProjectStructure,
  instrument: string,
  columns: readonly ExportColumn[],
  { values, recordIdMinLength = RECORD_ID_MIN_LENGTH }: SchemaOptions,
): JsonSchema {
  const { dictionary } = structure;
  const id = dictionary.recordIdField?.name ?? '';
  const missing = [...structure.missingDataCodes];
  const properties = new Map<string, JsonSchema>([
    [
      id,
      {
        type: 'string',
        // Records that exist may have shorter ids.
        minLength: 1,
        maxLength: RECORD_ID_MAX_LENGTH,
        pattern: RECORD_ID_PATTERN.source,
        description: `Record id. Unless REDCap numbers the records, a new one ${recordIdRule(recordIdMinLength).message}.`,
      },
    ],
    ...placeColumns(structure, instrument, values),
  ]);
  for (const column of columns) {
    if (column.name === id) continue;
    if (values === 'raw') properties.set(column.name, rawColumnSchema(column, dictionary, missing));
    else {
      const key = column.choice === undefined ? column.name : (column.field?.name ?? column.name);
      if (!properties.has(key)) properties.set(key, typedFieldSchema(column.field, dictionary, missing));
    }
  }
  if (values === 'raw') {
    for (const column of missingColumns(structure, columns))
      properties.set(column.name, rawColumnSchema(column, dictionary, missing));
  }
  return {
    title: instrument,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [id],
    additionalProperties: false,
  };
}

/** Returns the columns of checkbox fields for missing data codes, which some versions of REDCap export and import. */
function missingColumns(structure: ProjectStructure, columns: readonly ExportColumn[]): ExportColumn[] {
  const fields = new Set(columns.flatMap(({ field }) => field ?? []));
  const codes = [...structure.missingDataCodes].map((code) => ({ code, label: 'missing data code' }));
  return [...fields].flatMap((field) => structure.dictionary.missingColumns(field, codes));
}

/** Returns the columns that identify a row: event, repeat instrument and repeat instance. */
function placeColumns(
  structure: ProjectStructure,
  instrument: string,
  values: 'raw' | 'typed',
): [string, JsonSchema][] {
  const blank = values === 'raw' ? '' : null;
  const columns: [string, JsonSchema][] = [];
  if (structure.isLongitudinal) {
    const events = structure.eventsOf(instrument);
    columns.push(['redcap_event_name', { enum: [blank, ...events], description: 'Unique event name' }]);
  }
  if (structure.repeats(instrument)) {
    const instance = [
      { type: 'integer', minimum: 1, maximum: 999_999_999 },
      { enum: [blank, 'new'] },
      ...(values === 'raw' ? [{ type: 'string', pattern: '^[1-9]\\d{0,8}$' }] : []),
    ];
    columns.push(
      [
        'redcap_repeat_instrument',
        { enum: [blank, instrument], description: 'The instrument, where it repeats by itself' },
      ],
      ['redcap_repeat_instance', { anyOf: instance, description: 'Repeat instance' }],
    );
  }
  return columns;
}
