import { readFileSync } from 'node:fs';
import type { Operation, QueryParameter } from '../api-operation.js';

/** The operations of one path. */
export interface PathOperations {
  readonly template: string;
  readonly methods: ReadonlyMap<string, Operation>;
}

/** An operation as JSON. */
export interface OperationRules extends Omit<Operation, 'queryParameters'> {
  readonly queryParameters: Readonly<Record<string, QueryParameter>>;
}

/**
 * The operations of the OpenAPI document, which requests are checked against. A query parameter, method or media type
 * that is not in the document is refused, so the service and its description cannot drift apart.
 */
export class OperationTable {
  readonly #fixed = new Map<string, PathOperations>();
  readonly #patterns: { readonly pattern: RegExp; readonly path: PathOperations }[] = [];

  /** @param rules the rules of all operations, in document order */
  constructor(rules: readonly OperationRules[]) {
    const paths = new Map<string, Map<string, Operation>>();
    for (const { queryParameters, ...operation } of rules) {
      const methods = paths.get(operation.template) ?? new Map<string, Operation>();
      paths.set(operation.template, methods);
      methods.set(operation.method, {
        ...operation,
        queryParameters: new Map(Object.entries(queryParameters)),
      });
    }
    for (const [template, methods] of paths) this.#add({ template, methods });
  }

  /** Reads the rules that the build took from the document: all of the document would take a tenth of a start. */
  static load(): OperationTable {
    // The path relative to this file is the same in `src` and in the compiled package.
    const file = new URL('../../../build/operations.json', import.meta.url);
    return new OperationTable(JSON.parse(readFileSync(file, 'utf8')) as OperationRules[]);
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

function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^/}]+\}/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
