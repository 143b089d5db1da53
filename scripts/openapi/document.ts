/** The parts of an OpenAPI 3.0 document that the build step uses. */
export interface OpenApiDocument {
  info: { description?: string; license?: { name: string; url?: string }; contact?: object };
  tags?: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    headers?: Record<string, { description: string; schema: Schema }>;
    examples?: Record<string, { value: unknown }>;
    responses?: Record<string, Answer>;
  };
  /** The errors of every operation that requires a scope. */
  'x-common-responses'?: Record<string, Answer>;
}

export interface Operation {
  operationId?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
  security?: Record<string, string[]>[];
  'x-required-scopes'?: string[];
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

/** A response, or a reference to one in `components`. */
export interface Answer {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Media>;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown } | { $ref: string }>;
}

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  example?: unknown;
  enum?: readonly unknown[];
  nullable?: boolean;
  additionalProperties?: unknown;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Returns every operation with its path, in document order. */
export function operationsOf({ paths }: OpenApiDocument): { path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
}
