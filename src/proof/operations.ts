import { apiDocument } from '../openapi/api-document.js';
import type { Request } from './request.js';

interface Operation {
  readonly name: string;
  readonly pattern: RegExp;
}

let known: readonly Operation[] | undefined;

/** The operations of the REST API, as its document has them. */
function operations(): readonly Operation[] {
  known ??= Object.entries(
    (JSON.parse(apiDocument().toString()) as { paths: Record<string, Record<string, object>> }).paths,
  ).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      pattern: new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );
  return known;
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
