import { parametersOf, operationOf, type Parameter } from './operations.js';
import type { Names, Request } from './request.js';

/** How many paths of an operation are varied: what is visible is mostly at the first, and what is hidden further on. */
const PATHS = 2;

/**
 * Varies requests by each parameter that the OpenAPI document has for their operation: left out, blank, there twice, and
 * with the name of something that is hidden. What a parameter decides, REDCap decides by a default of its own without it.
 */
export function variationsOf(requests: readonly Request[], names: Names): Request[] {
  const byOperation = new Map<string, Map<string, Request>>();
  for (const request of requests) {
    const path = request.path.split('?')[0] ?? '';
    const { isApi, name } = operationOf(request.method ?? 'GET', path);
    // A repetition under a key, and a cursor, mean something only as they are.
    if (!isApi || request.key !== undefined || /cursor=/.test(request.path)) continue;
    const paths = byOperation.get(name) ?? new Map<string, Request>();
    byOperation.set(name, paths);
    const before = paths.get(path);
    if (before === undefined || sentIn(request) > sentIn(before)) paths.set(path, request);
  }
  return [...byOperation].flatMap(([operation, paths]) => {
    const all = [...paths.values()];
    const some = all.filter((_, at) => at % Math.ceil(all.length / PATHS) === 0);
    return some.flatMap((request) =>
      parametersOf(operation).flatMap((parameter) => varied(request, parameter, names)),
    );
  });
}

function sentIn({ path, body = '' }: Request): number {
  return path.length + body.length;
}

/** Returns the requests that differ from one in a parameter. */
function varied(request: Request, parameter: Parameter, names: Names): Request[] {
  const [visible, hidden] = valuesOf(parameter, names);
  const { name } = parameter;
  if (parameter.in === 'header') {
    const withHeader = (value: string): Request => ({ ...request, headers: { [name]: value } });
    return [withHeader(''), withHeader('"x", "y"')];
  }
  if (parameter.in === 'body') {
    const { [name]: sent, ...others } = JSON.parse(request.body ?? '{}') as Record<string, unknown>;
    const withBody = (body: object): Request => ({ ...request, body: JSON.stringify(body) });
    const twice = Array.isArray(sent) ? [...(sent as unknown[]), ...(sent as unknown[])] : [sent, sent];
    return [withBody(others), withBody({ ...others, [name]: '' }), withBody({ ...others, [name]: twice })];
  }
  const [path = '', query = ''] = request.path.split('?');
  const withValues = (...values: readonly string[]): Request => {
    const parameters = new URLSearchParams(query);
    parameters.delete(name);
    for (const value of values) parameters.append(name, value);
    return { ...request, path: parameters.size === 0 ? path : `${path}?${parameters.toString()}` };
  };
  const sent = new URLSearchParams(query).get(name);
  return [
    ...(sent === null ? [] : [withValues()]),
    withValues(''),
    withValues(sent ?? visible, hidden),
    ...(sent === hidden ? [] : [withValues(hidden)]),
  ];
}

/** Returns a value of a parameter that is visible and one that is hidden, or two different ones. */
function valuesOf({ name, type, values }: Parameter, names: Names): readonly [string, string] {
  const two = (visible: readonly string[], hidden: readonly string[]): readonly [string, string] => {
    const [first = 'none'] = visible;
    return [first, hidden.find((each) => each !== first) ?? first];
  };
  const { id, fields, forms, groups, records } = names;
  if (values.length > 0) return two(values, values);
  switch (name.replace(/s$/, '')) {
    case 'event':
      return two(names.visibleEvents, [...names.hiddenEvents, ...names.visibleEvents]);
    case 'instrument':
      return two(names.visibleForms, [...forms].reverse().slice(1));
    case 'field':
      return two(names.visibleFields.slice(1), [...names.hiddenFields, ...fields]);
    case 'record':
      return two(records, records);
    case 'dag':
      return two(groups, groups);
    case 'filterLogic':
      return [`[${id}] <> ''`, `[${names.hiddenFields[0] ?? id}] <> ''`];
    default:
      return type === 'boolean' ? ['true', 'false'] : ['1', '2'];
  }
}
