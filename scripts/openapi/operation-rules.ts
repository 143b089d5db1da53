import type { QueryParameter } from '../../src/http/api-operation.js';
import type { OperationRules } from '../../src/http/openapi/operation-table.js';

interface DocumentParameter {
  readonly in: string;
  readonly name: string;
  readonly schema: Schema;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
}

type Schemas = Readonly<Record<string, Schema>>;

interface DocumentOperation {
  readonly operationId?: string;
  readonly 'x-required-scopes'?: readonly string[];
  readonly parameters?: readonly DocumentParameter[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components?: { readonly schemas?: Schemas };
}

/** @returns the rules of each operation, in document order; `build/operations.json` has them for `OperationTable` */
export function operationRules({ paths, components }: OpenApi): OperationRules[] {
  const schemas = components?.schemas ?? {};
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      rulesOf(method.toUpperCase(), template, operation, schemas),
    ),
  );
}

function rulesOf(
  method: string,
  template: string,
  operation: DocumentOperation,
  schemas: Schemas,
): OperationRules {
  return {
    id: operation.operationId ?? `${method} ${template}`,
    method,
    template,
    queryParameters: Object.fromEntries(
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => [parameter.name, toQueryParameter(parameter, schemas)]),
    ),
    scopes: operation['x-required-scopes'] ?? [],
    bodyTypes: Object.keys(operation.requestBody?.content ?? {}),
    answerTypes: Object.keys(operation.responses['200']?.content ?? {}),
  };
}

function toQueryParameter({ schema }: DocumentParameter, schemas: Schemas): QueryParameter {
  const { type, minLength = 0, items } = resolved(schema, schemas);
  const isList = type === 'array';
  const mayHoldCommas = items !== undefined && holdsCommas(resolved(items, schemas));
  return { isList, mayHoldCommas, isNeverBlank: isList || minLength > 0 };
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? schema);
}

/** Whether the schema allows a text with a comma. A string without a pattern does. */
function holdsCommas({ type, pattern, enum: values }: Schema): boolean {
  if (values !== undefined) return values.some((value) => String(value).includes(','));
  if (type !== 'string') return false;
  return pattern === undefined || WITH_COMMAS.some((text) => new RegExp(pattern, 'u').test(text));
}

const WITH_COMMAS = ['a,b', 'A,1', '1,2'];

/** Returns the name in a reference: `FilterLogicText` for `#/components/schemas/FilterLogicText`. */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
