import { responsesOf } from '../../scripts/openapi/common-responses.js';
import type { Scope } from '../../src/domain/identifiers/scope.js';
import { apiDocument } from '../../src/http/openapi/api-document.js';

/** A schema of the OpenAPI document: the part of JSON Schema that it uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

export interface ApiResponse {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<
    Record<string, { readonly schema?: Schema; readonly examples?: Readonly<Record<string, unknown>> }>
  >;
}

/** One operation of the REST API, as described by its document. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  /** `/api/v1/records/{record}` */
  readonly template: string;
  readonly parameters: readonly Parameter[];
  /** Media types of the body with their schema; empty for an operation without a body. */
  readonly bodies: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
  /** Those that operations share are resolved, and those that are common to all are among them. */
  readonly responses: Readonly<Record<string, ApiResponse>>;
  readonly scopes: readonly Scope[];
}

interface DocumentOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: ApiOperation['bodies'] };
  readonly responses: ApiOperation['responses'];
  readonly 'x-required-scopes'?: readonly Scope[];
}

/** The OpenAPI document as served. */
export const API = JSON.parse(apiDocument(true).json) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
  };
  readonly 'x-common-responses': Readonly<Record<string, ApiResponse>>;
};

/** The path of REDCap's own API, which the document has in one operation: it is not one of the REST API. */
export const DOOR = '/api/';

export const OPERATIONS: readonly ApiOperation[] = Object.entries(API.paths).flatMap(([template, methods]) =>
  Object.entries(template === DOOR ? {} : methods).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    template,
    parameters: operation.parameters ?? [],
    bodies: operation.requestBody?.content ?? {},
    responses: Object.fromEntries(
      Object.entries(responsesOf(API, operation)).map(([status, response]) => [
        status,
        API.components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response,
      ]),
    ),
    scopes: operation['x-required-scopes'] ?? [],
  })),
);

/** @returns a schema with its reference and its `allOf` parts resolved */
export function resolved(schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const { $ref, ...rest } = schema;
    const target = API.components.schemas[$ref.split('/').at(-1) ?? ''];
    if (target === undefined) throw new Error(`The document has no ${$ref}.`);
    return { ...resolved(target), ...rest };
  }
  if (schema.allOf === undefined) return schema;
  const { allOf, ...rest } = schema;
  return Object.assign({}, ...allOf.map(resolved), rest) as Schema;
}
