// Writes the types of the OpenAPI document, from which the service client is typed. Files are bytes, not text.
import openapiTS, { astToString } from 'openapi-typescript';
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { responsesOf } from './openapi/common-responses.js';
import { operationsOf, type OpenApiDocument } from './openapi/document.js';

const build = new URL('../build/', import.meta.url);
const { factory } = ts;
const BYTES = factory.createUnionTypeNode(
  ['Blob', 'ArrayBuffer', 'Uint8Array'].map((name) => factory.createTypeReferenceNode(name)),
);

const document = JSON.parse(readFileSync(new URL('openapi.json', build), 'utf8')) as OpenApiDocument;
for (const { operation } of operationsOf(document)) operation.responses = responsesOf(document, operation);
const types = await openapiTS(JSON.stringify(document), {
  transform: ({ format }) => (format === 'binary' ? BYTES : undefined),
});
writeFileSync(new URL('openapi-types.ts', build), `/* Made by npm run generate. */\n${astToString(types)}`);
