import { doesMatch, entityTagOf } from '../http/entity-tag.js';

/**
 * The condition of a request with `If-Match`, as `DesignChanges.make` asks it.
 *
 * @param bodies what a read answers now, one a media type
 * @returns undefined where the request has no `If-Match`
 */
export function whileUnchanged(
  ifMatch: string | undefined,
  bodies: () => Promise<readonly (object | string)[]>,
): (() => Promise<boolean>) | undefined {
  if (ifMatch === undefined) return undefined;
  return async () => doesMatch(ifMatch, (await bodies()).map(entityTagOf));
}
