import { InvalidRequestError } from '../../errors/invalid-request-error.js';

/** The parameters of one call, under REDCap's own names. What is `undefined`, or an empty list, is not sent. */
export type WireParameters = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/**
 * Writes parameters as a form body: lists as `name[0]=…&name[1]=…`, which every version of REDCap has read,
 * booleans as `true` and `false`.
 *
 * @throws {InvalidRequestError} a text holds half of a surrogate pair, which UTF-8 cannot carry
 * @see protocol reference 1.2, 1.4, 1.5 (client)
 */
export function toFormBody(parameters: WireParameters): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (typeof value === 'object') {
      value.forEach((item, index) => pairs.push(`${name}[${index}]=${encode(`${name}[${index}]`, item)}`));
    } else {
      pairs.push(`${name}=${encode(name, String(value))}`);
    }
  }
  return pairs.join('&');
}

function encode(name: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new InvalidRequestError([{ field: name, message: 'holds half of a surrogate pair' }]);
  }
}
