import type { JsonSchema } from '../../dictionary/project-schema/field-schema.js';
import { projectSchema } from '../../dictionary/project-schema/project-schema.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';

/** The parts of an OpenAPI document that are changed here. */
interface OpenApi {
  readonly info: { readonly title: string };
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/**
 * Adds the rows of the project to the OpenAPI document of the service: `Raw_<instrument>` and `Typed_<instrument>`
 * replace rows with arbitrary columns and values.
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
    components: {
      ...document.components,
      schemas: {
        // Listed first, so that readers see them first.
        ...Object.fromEntries(rows),
        ...document.components.schemas,
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
