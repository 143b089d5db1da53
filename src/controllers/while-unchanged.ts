import { doesMatch, entityTagOf } from '../http/entity-tag.js';

/**
 * Returns the `If-Match` condition of a request, for `DesignService.change`.
 *
 * @param readings read what the route returns in each of its media types now: a list, sent as `{ data }`, or a text
 * @returns undefined if the request has no `If-Match`
 */
export function whileUnchanged(
  ifMatch: string | undefined,
  ...readings: readonly (() => Promise<readonly object[] | string>)[]
): (() => Promise<boolean>) | undefined {
  if (ifMatch === undefined) return undefined;
  return async () => {
    const answers = await Promise.all(readings.map((read) => read()));
    return doesMatch(
      ifMatch,
      answers.map((answer) => entityTagOf(typeof answer === 'string' ? answer : { data: answer })),
    );
  };
}
