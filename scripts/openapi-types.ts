// Writes the types of the OpenAPI document, from which the service client is typed. Files are bytes, not text.
import openapiTS, { astToString } from 'openapi-typescript';
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const build = new URL('../build/', import.meta.url);
const { factory } = ts;
const BYTES = factory.createUnionTypeNode(
  ['Blob', 'ArrayBuffer', 'Uint8Array'].map((name) => factory.createTypeReferenceNode(name)),
);

const document = readFileSync(new URL('openapi.json', build), 'utf8');
const types = await openapiTS(document, {
  transform: ({ format }) => (format === 'binary' ? BYTES : undefined),
});
writeFileSync(new URL('openapi-types.ts', build), `/* Made by npm run generate. */\n${astToString(types)}`);
