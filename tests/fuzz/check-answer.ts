import { Ajv, type ValidateFunction } from 'ajv';
import { API, type ApiOperation } from '../support/api-operations.js';
import type { FuzzRequest } from './fuzz-request.js';

export interface FuzzAnswer {
  /** 0 if the connection broke without an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A failure that the server explains: something that it or REDCap cannot do, or not now. */
const EXPLAINED: ReadonlySet<number> = new Set([501, 503]);

const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(API, 'api');
const validators = new Map<string, ValidateFunction>();

/** @returns what is wrong with an answer in a sentence, or nothing if it is correct */
export function complaintAbout(
  operation: ApiOperation,
  request: FuzzRequest,
  answer: FuzzAnswer,
  isContract: boolean,
): string | undefined {
  const { status, headers, body } = answer;
  if (status === 0) return isContract ? 'The connection broke.' : undefined;
  if (status >= 500 && !EXPLAINED.has(status)) return `${status} ${codeOf(body)}`;
  if (status >= 400) return problemComplaint(answer);
  if (!isContract) return undefined;
  if (request.broken !== undefined && status < 300)
    return `${status}, although the document forbids ${request.broken}.`;
  const described = operation.responses[String(status)];
  if (described === undefined) return `${status} is none of the answers that the document has.`;
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  if (type !== 'application/json' || described.content?.[type]?.schema === undefined) return undefined;
  return schemaComplaint(operation, status, body);
}

function codeOf(body: string): string {
  return /"code":"(\w+)"/.exec(body)?.[1] ?? body.slice(0, 60);
}

/** Every error is a problem document with a code and the request id. */
function problemComplaint({ status, headers, body }: FuzzAnswer): string | undefined {
  if (headers['x-request-id'] === undefined) return `${status} without X-Request-Id.`;
  const type = String(headers['content-type'] ?? '');
  // HEAD has no body, and a browser gets a page.
  if (body === '' || type.startsWith('text/html')) return undefined;
  if (!type.startsWith('application/problem+json')) return `${status} as ${type}.`;
  return /"code":"\w+"/.test(body) ? undefined : `${status} without a code.`;
}

function schemaComplaint(
  { id, template, method }: ApiOperation,
  status: number,
  body: string,
): string | undefined {
  const key = `${id} ${status}`;
  const pointer = [
    'paths',
    template,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ]
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const validate = validators.get(key) ?? ajv.compile({ $ref: `api#/${pointer}` });
  validators.set(key, validate);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return `${status} is no JSON.`;
  }
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${status} is not what the document says: ${error?.instancePath ?? ''} ${error?.message ?? ''}`;
}
