import { readFileSync } from 'node:fs';

/** What the document says of one operation, in the form in which a request is held against it. */
export interface Operation {
  readonly method: string;
  /** The path as the document has it: `/api/v1/users/{email}`. */
  readonly template: string;
  /** Each query parameter, and whether it is a list. */
  readonly queryParameters: ReadonlyMap<string, { readonly isList: boolean }>;
  /** The media types of its body; empty when it reads none. */
  readonly bodyTypes: readonly string[];
  /** The media types of its success. */
  readonly answerTypes: readonly string[];
}

/** The operations of one path. */
export interface PathOperations {
  readonly template: string;
  readonly methods: ReadonlyMap<string, Operation>;
}

interface DocumentParameter {
  readonly in: string;
  readonly name: string;
  readonly schema: { readonly type?: string };
}

interface DocumentOperation {
  readonly parameters?: readonly DocumentParameter[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

/**
 * The OpenAPI document as tsoa generated it, and as the requests are held against it: an unknown query parameter,
 * a method or a media type is refused because the document does not have it, so the two cannot drift apart.
 */
export class ApiDocument {
  readonly #fixed = new Map<string, PathOperations>();
  readonly #patterns: { readonly pattern: RegExp; readonly path: PathOperations }[] = [];

  /** @param json the document, byte for byte as it is served */
  constructor(readonly json: string) {
    const document = JSON.parse(json) as OpenApi;
    for (const [template, operations] of Object.entries(document.paths)) {
      this.#add({ template, methods: new Map(Object.entries(operations).map(toOperation(template))) });
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

function toOperation(template: string) {
  return ([method, operation]: [string, DocumentOperation]): [string, Operation] => {
    const name = method.toUpperCase();
    return [
      name,
      {
        method: name,
        template,
        queryParameters: new Map(
          (operation.parameters ?? [])
            .filter((parameter) => parameter.in === 'query')
            .map((parameter) => [parameter.name, { isList: parameter.schema.type === 'array' }]),
        ),
        bodyTypes: Object.keys(operation.requestBody?.content ?? {}),
        answerTypes: Object.keys(operation.responses['200']?.content ?? {}),
      },
    ];
  };
}

function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^/}]+\}/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
