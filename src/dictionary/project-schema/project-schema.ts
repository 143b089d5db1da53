import {
  RECORD_ID_MAX_LENGTH,
  RECORD_ID_MIN_LENGTH,
  RECORD_ID_PATTERN,
} from '../../identifiers/record-id.js';
import type { ExportColumn } from '../export-column.js';
import type { ProjectStructure } from '../project-structure.js';
import { rawColumnSchema, typedFieldSchema, type JsonSchema } from './field-schema.js';

export interface SchemaOptions {
  /** Text as REDCap has it, or typed values. */
  readonly values: 'raw' | 'typed';
  /** The least length of a record id; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
}

/**
 * The rows of each instrument as a JSON Schema 2020-12, in `$defs` under the name of the instrument; the whole accepts a row of
 * any of them. A row validates when an import would take it. Of raw values the limits of numbers are
 * said for whole numbers in a range of at most a thousand: JSON Schema does not compare text.
 */
export function projectSchema(structure: ProjectStructure, options: SchemaOptions): JsonSchema {
  const columns = columnsByInstrument(structure);
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

function columnsByInstrument({ dictionary }: ProjectStructure): ReadonlyMap<string, ExportColumn[]> {
  const groups = new Map<string, ExportColumn[]>();
  for (const column of dictionary.exportColumns()) {
    const group = groups.get(column.instrument);
    if (group === undefined) groups.set(column.instrument, [column]);
    else group.push(column);
  }
  return groups;
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
        minLength: recordIdMinLength,
        maxLength: RECORD_ID_MAX_LENGTH,
        pattern: RECORD_ID_PATTERN.source,
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
  return {
    title: instrument,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [id],
    additionalProperties: false,
  };
}

/** What says for what a row is. */
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
