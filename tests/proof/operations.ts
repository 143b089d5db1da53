import { apiDocument } from '../../src/http/openapi/api-document.js';
import type { Request } from './request.js';

/** What a request may have besides its path, as the document describes it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'body';
  readonly type: string;
  /** All that it may be, if these are listed. */
  readonly values: readonly string[];
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

interface Operation {
  readonly name: string;
  readonly pattern: RegExp;
  readonly parameters: readonly Parameter[];
}

let known: readonly Operation[] | undefined;

/** The operations of the REST API, as its document has them. */
function operations(): readonly Operation[] {
  if (known !== undefined) return known;
  const { paths, components } = JSON.parse(apiDocument(true).json) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const resolved = ({ $ref, ...schema }: Schema = {}): Schema =>
    components.schemas[$ref?.split('/').at(-1) ?? ''] ?? schema;
  const parameter = (name: string, where: Parameter['in'], schema: Schema): Parameter => {
    const { type = '', items, enum: values } = resolved(schema);
    return { name, in: where, type, values: values ?? resolved(items).enum ?? [] };
  };
  known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      pattern: new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      parameters: [
        ...parameters.flatMap(({ name, in: where, schema }) =>
          where === 'query' || where === 'header' ? [parameter(name, where, schema)] : [],
        ),
        ...Object.entries(resolved(requestBody?.content['application/json']?.schema).properties ?? {}).map(
          ([name, schema]) => parameter(name, 'body', schema),
        ),
      ],
    })),
  );
  return known;
}

/** Returns the parameters of an operation, and the properties of its JSON body. */
export function parametersOf(operation: string): readonly Parameter[] {
  return operations().find(({ name }) => name === operation)?.parameters ?? [];
}

/** Names the operation of a request, or the page. Paths that are written out are preferred to those with a variable. */
export function operationOf(
  method: string,
  path: string,
): { readonly isApi: boolean; readonly name: string } {
  const sent = `${method} ${path.split('?')[0] ?? ''}`;
  const fitting = operations().filter(({ pattern }) => pattern.test(sent));
  const [found] = fitting.toSorted((one, other) => variables(one) - variables(other));
  if (found !== undefined) return { isApi: true, name: found.name };
  return {
    isApi: path.startsWith('/api/'),
    name: sent.replace(/^(\w+ \/dashboard\/records\/).+/, '$1{record}'),
  };
}

function variables({ name }: Operation): number {
  return name.split('{').length;
}

/** Puts the first request to each operation before the second to any, and says which are the first. */
export function spread(
  requests: readonly Request[],
): { readonly request: Request; readonly isFirst: boolean }[] {
  const seen = new Map<string, number>();
  const counted = requests.map((request) => {
    const { name } = operationOf(request.method ?? 'GET', request.path);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return { request, before, isFirst: before === 0 };
  });
  return counted.toSorted((one, other) => one.before - other.before);
}
