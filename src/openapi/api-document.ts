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
 * The OpenAPI document as tsoa generated it, used to validate requests: an unknown query parameter,
 * a method or a media type is refused because the document does not have it, so the two cannot drift apart.
 */
export class ApiDocument {
  readonly #fixed = new Map<string, PathOperations>();
  readonly #patterns: { readonly pattern: RegExp; readonly path: PathOperations }[] = [];

  /** @param json the document, byte for byte as it is served */
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

  /** Reads the generated document. Its place relative to this file is the same in `src` and in the compiled package. */
  static load(): ApiDocument {
    return new ApiDocument(readFileSync(new URL('../../build/openapi.json', import.meta.url), 'utf8'));
  }

  /** Every path, in the document's order. */
  get paths(): readonly PathOperations[] {
    return [...this.#fixed.values(), ...this.#patterns.map(({ path }) => path)];
  }

  /** @returns the operations of the path that serves this URL path, if any */
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

/** Whether a text that the schema allows may hold a comma: what says nothing of its form may. */
function holdsCommas({ type, pattern, enum: values }: Schema): boolean {
  if (values !== undefined) return values.some((value) => String(value).includes(','));
  if (type !== 'string') return false;
  return pattern === undefined || WITH_COMMAS.some((text) => new RegExp(pattern, 'u').test(text));
}

const WITH_COMMAS = ['a,b', 'A,1', '1,2'];

/** `#/components/schemas/FilterLogicText` is called `FilterLogicText`. */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^/}]+\}/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
