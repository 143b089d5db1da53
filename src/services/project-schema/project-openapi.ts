import type { JsonSchema } from '../../domain/dictionary/project-schema/field-schema.js';
import { projectSchema } from '../../domain/dictionary/project-schema/project-schema.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';

/** The parts of an OpenAPI document that are changed here. */
interface OpenApi {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

type PathItem = Readonly<Record<string, InstrumentOperation>>;

/** The operation that reads the rows of one instrument. */
interface InstrumentOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
}

/** The path whose operation gets a path of its own for each instrument. */
const INSTRUMENT_ROWS = '/api/v1/instruments/{instrument}/rows';

/**
 * Adds the project to the OpenAPI document of the service:
 *
 * - `Raw_<instrument>` and `Typed_<instrument>` replace rows with arbitrary columns and values.
 * - The rows of each instrument have a path of their own, so that generated clients know their columns.
 * - The names of fields, instruments and events are enumerations.
 *
 * @param base the document of the service, OpenAPI 3.0
 */
export function projectOpenApi(
  base: string,
  structure: ProjectStructure,
  recordIdMinLength?: number,
): OpenApi {
  const document = JSON.parse(base) as OpenApi;
  const rows = new Map<string, JsonSchema>();
  for (const values of ['raw', 'typed'] as const) {
    const schema = projectSchema(structure, { values, recordIdMinLength });
    const prefix = values === 'raw' ? 'Raw' : 'Typed';
    for (const [instrument, row] of Object.entries(schema['$defs'] as Record<string, JsonSchema>)) {
      const name = `${prefix}_${instrument}`;
      // Pages show the title instead of the name, and both rows of an instrument would have the same title.
      rows.set(name, { ...(toOpenApi(row) as JsonSchema), title: name });
    }
  }
  const references = [...rows.keys()].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const raw = [...rows].filter(([name]) => name.startsWith('Raw_')).map(([, row]) => row);
  return {
    ...document,
    paths: withInstrumentPaths(document, structure.dictionary.instruments),
    components: {
      ...document.components,
      schemas: {
        // Listed first, so that readers see them first.
        ...Object.fromEntries(rows),
        ...withNames(document.components.schemas, structure),
        ...(references.length > 0 && {
          InstrumentRowResponse: {
            description: 'A row of an instrument of this project.',
            anyOf: references,
          },
        }),
        RecordRowResponse: {
          type: 'object',
          description: 'A row of this project: the columns of all instruments, or those that were asked for.',
          properties: Object.assign({}, ...raw.map((row) => row['properties'])) as JsonSchema,
        },
      },
    },
  };
}

/** Puts the path of each instrument before the path of any instrument. */
function withInstrumentPaths(document: OpenApi, instruments: readonly string[]): OpenApi['paths'] {
  const anyRows = document.components.schemas['InstrumentRowsResponse'] ?? {};
  return Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]): [string, PathItem][] => {
      const { get } = item;
      if (path !== INSTRUMENT_ROWS || get === undefined) return [[path, item]];
      const own = instruments.map((name): [string, PathItem] => [
        path.replace('{instrument}', name),
        { get: rowsOf(get, name, anyRows) },
      ]);
      return [...own, [path, item]];
    }),
  );
}

/**
 * Returns the operation for one instrument: its rows as text, or typed.
 *
 * @param anyRows the schema of the rows of any instrument
 */
function rowsOf(
  operation: InstrumentOperation,
  instrument: string,
  anyRows: JsonSchema,
): InstrumentOperation {
  const { '200': success = {}, ...errors } = operation.responses;
  const rows = ['Raw', 'Typed'].map((prefix) => ({
    type: 'array',
    items: { $ref: `#/components/schemas/${prefix}_${instrument}` },
  }));
  const properties = { ...(anyRows['properties'] as object), data: { anyOf: rows } };
  const json = { schema: { ...anyRows, properties } };
  return {
    ...operation,
    operationId: `${operation.operationId}_${instrument}`,
    summary: `Read the rows of ${instrument}`,
    parameters: (operation.parameters ?? []).filter(({ name }) => name !== 'instrument'),
    responses: {
      '200': { ...success, content: { ...success.content, 'application/json': json } },
      ...errors,
    },
  };
}

/** Limits the names that parameters accept to those of the project. */
function withNames(schemas: OpenApi['components']['schemas'], { dictionary, eventNames }: ProjectStructure) {
  const columns = dictionary.exportColumns().map(({ name }) => name);
  const fields = [...new Set([...dictionary.fields.map(({ name }) => name), ...columns])];
  const names = {
    FieldNameText: fields,
    InstrumentNameText: dictionary.instruments,
    EventNameText: eventNames.filter((name) => name !== ''),
  };
  const limited = Object.entries(names).map(([name, values]) => [
    name,
    // A classic project has no events, and an enumeration may not be empty.
    values.length === 0 ? schemas[name] : { ...schemas[name], enum: values },
  ]);
  return { ...schemas, ...(Object.fromEntries(limited) as typeof schemas) };
}

/** Converts JSON Schema 2020-12 to OpenAPI 3.0, which has no `const` and no type `null`. */
function toOpenApi(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toOpenApi);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { const: only, anyOf, enum: values, ...rest } = schema as JsonSchema;
  const members = Object.entries(rest).map(([name, value]) => [
    name,
    name === 'properties' ? propertiesToOpenApi(value as Record<string, JsonSchema>) : toOpenApi(value),
  ]);
  const listed = Array.isArray(values) ? (values as unknown[]) : undefined;
  return {
    ...Object.fromEntries(members),
    ...(only !== undefined && { type: 'string', enum: [only] }),
    ...(listed && { ...(listed.includes(null) && { nullable: true, type: 'string' }), enum: listed }),
    ...(Array.isArray(anyOf) && alternatives(anyOf as JsonSchema[])),
  };
}

/** The value null alone. OpenAPI 3.0 gives `nullable` a meaning only beside `type`. */
const ONLY_NULL: JsonSchema = { type: 'string', nullable: true, enum: [null] };

function alternatives(schemas: readonly JsonSchema[]): JsonSchema {
  const choices = choicesIn({ anyOf: schemas });
  if (choices !== undefined) return enumeration(choices);
  const others = schemas
    .filter(({ type }) => type !== 'null')
    .map((schema) => toOpenApi(schema) as JsonSchema);
  if (others.length === schemas.length) return { anyOf: others };
  const [first] = others;
  const isPlainType = others.length === 1 && first?.['type'] !== undefined && first['enum'] === undefined;
  return isPlainType ? { ...first, nullable: true } : { anyOf: [...others, ONLY_NULL] };
}

/** Converts each property by itself: a field may be named `enum` or `const`, like a keyword. */
function propertiesToOpenApi(properties: Readonly<Record<string, JsonSchema>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toOpenApi(schema)]));
}

/** A value of an enumeration, with its label. */
interface Choice {
  readonly value: unknown;
  readonly label?: string | undefined;
}

/** Returns the values that a schema allows if it only lists texts and null, such as codes or an empty value. */
function choicesIn(schema: JsonSchema): Choice[] | undefined {
  const { const: value, title, enum: values, anyOf, type } = schema;
  if (typeof value === 'string') return [{ value, label: title as string | undefined }];
  if (type === 'null') return [{ value: null }];
  if (Array.isArray(values))
    return values.every((item) => typeof item === 'string')
      ? values.map((item) => ({ value: item }))
      : undefined;
  if (!Array.isArray(anyOf)) return undefined;
  const all = (anyOf as JsonSchema[]).map(choicesIn);
  return all.every((choices) => choices !== undefined) ? all.flat() : undefined;
}

/** One enumeration, which generators turn into one type. Its labels go into the description. */
function enumeration(choices: readonly Choice[]): JsonSchema {
  const isNullable = choices.some(({ value }) => value === null);
  const labels = choices.flatMap(({ value, label }) =>
    label === undefined || label === '' ? [] : [`\`${String(value)}\`: ${label}`],
  );
  return {
    type: 'string',
    ...(isNullable && { nullable: true }),
    enum: [...new Set(choices.map(({ value }) => value))],
    ...(labels.length > 0 && { 'x-labels': labels }),
  };
}
