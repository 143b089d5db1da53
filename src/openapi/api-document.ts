import { readFileSync } from 'node:fs';
import type { Operation, QueryParameter } from '../http/operation.js';

/** The operations of one path. */
export interface PathOperations {
  readonly template: string;
  readonly methods: ReadonlyMap<string, Operation>;
}

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
  readonly parameters?: readonly DocumentParameter[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components?: { readonly schemas?: Schemas };
}

/**
 * The OpenAPI document as generated, which is also used to check requests. A query parameter, method or media type that
 * is not in the document is refused, so the service and its description cannot drift apart.
 */
export class ApiDocument {
  readonly #fixed = new Map<string, PathOperations>();
  readonly #patterns: { readonly pattern: RegExp; readonly path: PathOperations }[] = [];

  /** @param json the exact text that is served */
  constructor(readonly json: string) {
    const { paths, components } = JSON.parse(json) as OpenApi;
    const schemas = components?.schemas ?? {};
    for (const [template, operations] of Object.entries(paths)) {
      this.#add({
        template,
        methods: new Map(Object.entries(operations).map(toOperation(template, schemas))),
      });
    }
  }

  /** Reads the generated document. Its path relative to this file is the same in `src` and in the compiled package. */
  static load(): ApiDocument {
    return new ApiDocument(readFileSync(new URL('../../build/openapi.json', import.meta.url), 'utf8'));
  }

  /** Every path: first those without parameters, then the others, each in document order. */
  get paths(): readonly PathOperations[] {
    return [...this.#fixed.values(), ...this.#patterns.map(({ path }) => path)];
  }

  /** Returns the operations for a URL path, if there are any. */
  find(path: string): PathOperations | undefined {
    return this.#fixed.get(path) ?? this.#patterns.find(({ pattern }) => pattern.test(path))?.path;
  }

  #add(path: PathOperations): void {
    if (!path.template.includes('{')) this.#fixed.set(path.template, path);
    else this.#patterns.push({ pattern: patternOf(path.template), path });
  }
}

function toOperation(template: string, schemas: Schemas) {
  return ([method, operation]: [string, DocumentOperation]): [string, Operation] => {
    const name = method.toUpperCase();
    return [
      name,
      {
        id: operation.operationId ?? `${name} ${template}`,
        method: name,
        template,
        queryParameters: new Map(
          (operation.parameters ?? [])
            .filter((parameter) => parameter.in === 'query')
            .map((parameter) => [parameter.name, toQueryParameter(parameter, schemas)]),
        ),
        bodyTypes: Object.keys(operation.requestBody?.content ?? {}),
        answerTypes: Object.keys(operation.responses['200']?.content ?? {}),
      },
    ];
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

function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^/}]+\}/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
