import fc from 'fast-check';
import type { ApiOperation, Parameter } from '../support/api-operations.js';
import { headerText, type FuzzRequest } from './fuzz-request.js';
import { ANY_TEXT, invalid, valid } from './schema-values.js';

/** Media types with a body other than JSON: any bytes conform to the document. */
const TEXT_BODIES: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'record_id,age\nCOHORT-2026-PARTICIPANT-0001,41\n',
    '{"record_id":"COHORT-2026-PARTICIPANT-0002","age":"42"}\n',
    'field_name,form_name,field_type,field_label\nrecord_id,demographics,text,Id\n',
  ),
  ANY_TEXT,
);

/** The first generator: requests that conform to the OpenAPI document, and requests that break one of its rules. */
export function contractRequest(operation: ApiOperation): fc.Arbitrary<FuzzRequest> {
  const breakable = operation.parameters.filter((parameter) => isBreakable(parameter));
  const jsonSchema = operation.bodies['application/json']?.schema;
  const sound = requestOf(operation, undefined);
  const wrong = breakable.map((parameter) => requestOf(operation, parameter));
  const body = jsonSchema === undefined ? undefined : invalid(jsonSchema);
  if (body !== undefined) {
    wrong.push(
      fc.tuple(sound, body).map(([request, value]) => ({
        ...request,
        headers: { ...request.headers, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(value)),
        broken: 'the body',
      })),
    );
  }
  return wrong.length === 0 ? sound : fc.oneof(sound, fc.oneof(...wrong));
}

/** An empty path segment or header makes a different request, and a list in a query has its own syntax. */
function isBreakable({ in: place, schema }: Parameter): boolean {
  return place !== 'header' && schema.type !== 'array' && invalid(schema) !== undefined;
}

function requestOf(operation: ApiOperation, broken: Parameter | undefined): fc.Arbitrary<FuzzRequest> {
  const values = fc.record(
    Object.fromEntries(
      operation.parameters.map((parameter) => [
        parameter.name,
        (parameter === broken ? invalid(parameter.schema) : undefined) ?? valid(parameter.schema),
      ]),
    ),
    {
      requiredKeys: operation.parameters
        .filter((parameter) => parameter === broken || parameter.required || parameter.in === 'path')
        .map(({ name }) => name),
    },
  ) as fc.Arbitrary<Readonly<Record<string, unknown>>>;
  return fc.tuple(values, bodyOf(operation)).map(([given, body]) => assemble(operation, given, body, broken));
}

interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

function bodyOf({ bodies }: ApiOperation): fc.Arbitrary<Body | undefined> {
  const kinds = Object.entries(bodies).map(([type, { schema }]) => {
    if (type === 'application/json' && schema !== undefined)
      return valid(schema).map((value) => ({ type, bytes: Buffer.from(JSON.stringify(value)) }));
    if (type === 'multipart/form-data')
      return TEXT_BODIES.map((text) => ({ type: `${type}; boundary=X`, bytes: Buffer.from(formWith(text)) }));
    return TEXT_BODIES.map((text) => ({
      type: type === '*/*' ? 'text/plain' : type,
      bytes: Buffer.from(text),
    }));
  });
  return kinds.length === 0 ? fc.constant(undefined) : fc.oneof(...kinds);
}

/** A form with one file. */
function formWith(text: string): string {
  return `--X\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${text}\r\n--X--\r\n`;
}

function assemble(
  { method, template, parameters }: ApiOperation,
  given: Readonly<Record<string, unknown>>,
  body: Body | undefined,
  broken: Parameter | undefined,
): FuzzRequest {
  const query = new URLSearchParams();
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': body.type };
  let path = template;
  let isOther = false;
  for (const { name, in: place } of parameters) {
    const value = given[name];
    if (value === undefined) continue;
    const texts = (Array.isArray(value) ? value : [value]).map((each) => wellFormed(String(each)));
    if (place === 'path') {
      // An empty segment, or one that URL normalization removes, would be another path.
      isOther ||= /^\.{0,2}$/.test(texts[0] ?? '');
      path = path.replace(`{${name}}`, encodeURIComponent(texts[0] ?? ''));
    } else if (place === 'header') headers[name] = headerText(texts.join(','));
    else for (const text of texts) query.append(name, text);
  }
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  const isBroken = broken !== undefined && !isOther && !hasChanged(given[broken.name]);
  return {
    method,
    path: path + search,
    headers,
    body: body?.bytes,
    broken: isBroken ? `${broken.in} ${broken.name}` : undefined,
  };
}

/** An unpaired surrogate cannot be encoded. It is replaced on the way, and may then be valid. */
function hasChanged(value: unknown): boolean {
  return typeof value === 'string' && wellFormed(value) !== value;
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
