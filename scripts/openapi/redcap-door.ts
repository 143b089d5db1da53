import { DEMO_TOKEN } from '../../src/sandbox/demo-study/demo-study.js';
import type { OpenApiDocument, Operation } from './document.js';

const FORM = {
  type: 'object',
  required: ['token', 'content'],
  properties: {
    token: {
      type: 'string',
      example: DEMO_TOKEN,
      description: 'An API key, in the form of a token of REDCap or its own.',
    },
    content: {
      type: 'string',
      example: 'version',
      description: "A content of REDCap's API, such as `record`.",
    },
    action: {
      type: 'string',
      description: 'An action of the content; `export` by default, `import` with `data`.',
    },
    format: { type: 'string', description: '`json`, `csv` or `xml`, the default.' },
    returnFormat: { type: 'string', description: 'The format of errors; that of `format` by default.' },
  },
  additionalProperties: true,
};

/** Which the sandbox answers without a key. */
const EXAMPLE = { token: DEMO_TOKEN, content: 'version' };

const anyText = { schema: { type: 'string' } };

/** REDCap's own API, which is one operation with its own description: that of REDCap. */
const CALL: Operation = {
  operationId: 'CallRedcapApi',
  summary: "Call REDCap's own API",
  description:
    "REDCap's own API, for its clients: `token` is an API key, which needs the scopes of the operation for the same content and action. Without a policy the answer is REDCap's own, under a policy that of a REDCap whose project is what the caller may see. An error is REDCap's too: a text in the format of `returnFormat`.",
  tags: ["REDCap's API"],
  security: [], // the token is a parameter of the body, which OpenAPI does not know as a credential
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: FORM, example: EXAMPLE },
      'multipart/form-data': { schema: FORM, example: EXAMPLE },
    },
  },
  responses: {
    '200': {
      description: "REDCap's answer",
      content: { 'application/json': anyText, 'text/csv': anyText, 'text/xml': anyText },
    },
    '400': { description: 'A parameter is not valid, in the words of REDCap' },
    '403': { description: 'The token is missing, unknown or expired, or may not do this' },
    '503': { description: 'Too much at once: try again later' },
  },
} as unknown as Operation; // the document's own types leave out what tsoa never writes

/** Adds the operation of REDCap's own API. */
export function addDoor(document: OpenApiDocument): void {
  Object.assign(document.paths, { '/api/': { post: CALL } });
}
