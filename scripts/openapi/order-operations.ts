import type { OpenApiDocument, Operation } from './document.js';

/**
 * Paths in the order in which a newcomer needs them, within their tag. A path that is not here stands with the longest
 * one that it continues, shorter paths first; tsoa.json has the order of the tags.
 */
export const IN_ORDER_OF_USE = [
  '/projects',
  '/project/info',
  '/project/version',
  '/project/instruments',
  '/project/fields',
  '/project/export-field-names',
  '/project/field-validations',
  '/project/summary',
  '/project/due',
  '/project/incomplete',
  '/project/quality',
  '/project/schema',
  '/project/types',
  '/project/openapi.json',
  '/project/instruments/pdf',
  '/project/xml',
  '/records',
  '/records/{record}',
  '/records/query',
  '/records/next-id',
  '/records/manifest',
  '/records/{record}/rename',
  '/records/{record}/randomize',
  '/records/delete',
  '/instruments/{instrument}/rows',
  '/project/arms',
  '/project/events',
  '/project/mappings',
  '/project/repeating',
  '/project/users',
  '/project/roles',
  '/project/role-assignments',
  '/project/dags',
  '/project/dag-assignments',
  '/people',
  '/records/{record}/files',
  '/records/{record}/pdf',
  '/file-repository',
  '/file-repository/{id}',
  '/file-repository/folders',
  '/surveys/{instrument}/participants',
  '/surveys/{instrument}/access-code',
  '/records/{record}/surveys/{instrument}/link',
  '/records/{record}/surveys/{instrument}/return-code',
  '/records/{record}/surveys/queue-link',
  '/auth/signup',
  '/login',
  '/auth/me',
  '/auth/sessions',
  '/auth/logout',
  '/auth/account',
];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Puts the operations in the order of their tags and, within a tag, in the order of use. */
export function orderOperations(document: OpenApiDocument): void {
  const tags = (document.tags ?? []).map(({ name }) => name);
  const places = Object.entries(document.paths).map(([path, methods]) => ({
    entry: [path, inOrder(methods)] as const,
    place: [tags.indexOf(tagOf(methods)), placeOf(path.replace('/api/v1', '')), path.length],
  }));
  places.sort(
    ({ place: a }, { place: b }) => a.map((own, i) => own - (b[i] ?? 0)).find((by) => by !== 0) ?? 0,
  );
  document.paths = Object.fromEntries(places.map(({ entry }) => entry));
}

function inOrder(methods: Record<string, Operation>): Record<string, Operation> {
  const sorted = Object.entries(methods).sort(([a], [b]) => METHODS.indexOf(a) - METHODS.indexOf(b));
  return Object.fromEntries(sorted);
}

function tagOf(methods: Record<string, Operation>): string {
  return Object.values(methods)[0]?.tags?.[0] ?? '';
}

function placeOf(path: string): number {
  const begun = IN_ORDER_OF_USE.filter((known) => path === known || path.startsWith(`${known}/`));
  const [longest = ''] = begun.sort((a, b) => b.length - a.length);
  return longest === '' ? IN_ORDER_OF_USE.length : IN_ORDER_OF_USE.indexOf(longest);
}
