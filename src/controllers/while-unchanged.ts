import { doesMatch, entityTagOf } from '../http/entity-tag.js';

/**
 * Returns the `If-Match` condition of a request, for `DesignChanges.make`.
 *
 * @param bodies reads the current response bodies, one per media type
 * @returns undefined if the request has no `If-Match`
 */
export function whileUnchanged(
  ifMatch: string | undefined,
  bodies: () => Promise<readonly (object | string)[]>,
): (() => Promise<boolean>) | undefined {
  if (ifMatch === undefined) return undefined;
  return async () => doesMatch(ifMatch, (await bodies()).map(entityTagOf));
}
