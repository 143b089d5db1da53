// Completes build/openapi.json, which tsoa has just written, and indents it with blanks.
import { readFileSync, writeFileSync } from 'node:fs';
import { completeDocument } from './openapi/complete-document.js';
import type { OpenApiDocument } from './openapi/document.js';

const file = new URL('../build/openapi.json', import.meta.url);
const generated = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
writeFileSync(file, `${JSON.stringify(completeDocument(generated), null, 2)}\n`);
