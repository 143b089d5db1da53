interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly example?: unknown;
  readonly default?: unknown;
}

/** The schemas of the document. */
export type Schemas = Readonly<Record<string, Schema>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly schema?: Schema;
}

/** An operation of the OpenAPI document, as far as “Try it out” uses it. */
export interface PrefilledOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>>;
  };
}

/** The value that the reference page puts into a field: an example, or else a default. */
function prefilled({ example, examples, schema }: Omit<Parameter, 'name' | 'in'>, schemas: Schemas): unknown {
  const said = Object.values(examples ?? {})[0]?.value ?? example;
  return said ?? (schema && valueOf(schema, schemas));
}

function valueOf(schema: Schema, schemas: Schemas): unknown {
  const { $ref, allOf = [], example, default: standard } = schema;
  const named = schemas[$ref?.split('/').at(-1) ?? ''];
  const parts = [...(named ? [named] : []), ...allOf].map((part) => valueOf(part, schemas));
  return example ?? standard ?? parts.find((part) => part !== undefined);
}

/** The required fields of an operation that the page does not prefill. */
export function leftEmpty({ parameters = [], requestBody }: PrefilledOperation, schemas: Schemas): string[] {
  const bodies = requestBody?.required === true ? Object.entries(requestBody.content) : [];
  return [
    ...parameters.filter(({ required }) => required === true).map((field) => [field.name, field] as const),
    ...bodies,
  ]
    .filter(([, field]) => (prefilled(field, schemas) ?? '') === '')
    .map(([name]) => name);
}

/** The request that “Try it out” sends for an operation without any changes. */
export function prefilledRequest(path: string, operation: PrefilledOperation, schemas: Schemas) {
  const { parameters = [], requestBody, responses } = operation;
  const [accept = '*/*'] = Object.keys(
    Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {},
  );
  let target = path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = { accept, 'sec-fetch-site': 'same-origin' };
  for (const parameter of parameters) {
    const value = prefilled(parameter, schemas);
    const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined).map(String);
    if (parameter.in === 'path')
      target = target.replace(`{${parameter.name}}`, encodeURIComponent(values[0] ?? ''));
    else if (parameter.in === 'query') for (const one of values) query.append(parameter.name, one);
    else if (parameter.in === 'header' && values[0] !== undefined) headers[parameter.name] = values[0];
  }
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = content === undefined ? undefined : prefilled(content, schemas);
  if (mediaType !== undefined) headers['content-type'] = mediaType;
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  const written = isForm
    ? new URLSearchParams(example as Record<string, string>).toString()
    : JSON.stringify(example);
  const body = typeof example === 'string' ? example : written;
  return { target: `${target}${query.size === 0 ? '' : `?${query.toString()}`}`, headers, body };
}
