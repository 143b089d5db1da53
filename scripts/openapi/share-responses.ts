import type { ProblemCode } from '../../src/domain/errors/index.js';
import { operationsOf, type Answer, type OpenApiDocument } from './document.js';

/**
 * Moves each response that several operations have to `components.responses`, and leaves a reference in its place.
 * Without that, errors that all operations share would be three quarters of the document.
 *
 * The most frequent response of a status has the name of the status (`Forbidden`); the others add what is different
 * (`ForbiddenRecentSignInRequired`).
 */
export function shareResponses(document: OpenApiDocument): void {
  const uses = new Map<string, { status: string; answer: Answer; places: (() => void)[] }>();
  const names = new Map<string, string>();
  for (const { operation } of operationsOf(document)) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      const text = JSON.stringify([status, answer]);
      const use = uses.get(text) ?? { status, answer, places: [] };
      uses.set(text, use);
      use.places.push(() => {
        operation.responses[status] = { $ref: `#/components/responses/${names.get(text) ?? ''}` };
      });
    }
  }

  const byFrequency = [...uses].sort(([, a], [, b]) => b.places.length - a.places.length);
  const shared = byFrequency.filter(
    ([, { status, places }]) => Number(status) >= 300 && places.length >= MIN_USES,
  );
  const firstOf = new Map<string, Answer>();
  const responses: Record<string, Answer> = {};
  for (const [text, { status, answer, places }] of shared) {
    const first = firstOf.get(status);
    if (first === undefined) firstOf.set(status, answer);
    const name = `${STATUS_NAMES[status] ?? ''}${first === undefined ? '' : differenceOf(answer, first)}`;
    if (name in responses || name === '') throw new Error(`No name for a shared response of ${status}.`);
    names.set(text, name);
    responses[name] = answer;
    for (const place of places) place();
  }
  document.components.responses = Object.fromEntries(Object.entries(responses).sort());
}

/** A response of fewer operations stays with them: its name would say less than the response itself. */
const MIN_USES = 4;

/** The name of the most frequent response of each status. */
export const STATUS_NAMES: Readonly<Record<string, string>> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  421: 'MisdirectedRequest',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalServerError',
  501: 'NotImplemented',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
};

/** Names the codes that this response has more or less than the most frequent one of its status. */
function differenceOf(answer: Answer, first: Answer): string {
  const [own, usual] = [codesOf(answer), codesOf(first)];
  const more = own.filter((code) => !usual.includes(code)).map(toPascalCase);
  const less = usual.filter((code) => !own.includes(code)).map(toPascalCase);
  return [...more, ...(more.length === 0 ? ['Without', ...less] : [])].join('');
}

/** @returns the codes at the beginning of a description: `rate_limited, overloaded: …` */
export function codesOf({ description = '' }: Answer): ProblemCode[] {
  return (description.split(': ')[0] ?? '').split(', ').filter((code) => code !== '') as ProblemCode[];
}

function toPascalCase(code: string): string {
  return code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
