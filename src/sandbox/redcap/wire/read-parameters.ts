import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Parameters } from './parameters.js';

/**
 * Reads the body of a call, urlencoded or multipart: PHP decodes both into the same parameters, and a body that it
 * cannot read into none.
 *
 * @see protocol reference 1.2 (client)
 */
export async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\/form-data/i.test(type)) return new Parameters(await readMultipart(request));
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new Parameters(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}

async function readMultipart(request: IncomingMessage): Promise<[string, string][]> {
  const entries: [string, string][] = [];
  try {
    const parser = busboy({
      headers: request.headers,
      limits: { fieldSize: Number.POSITIVE_INFINITY, fields: Number.POSITIVE_INFINITY },
    });
    parser.on('field', (name, value) => entries.push([name, value]));
    parser.on('file', (_name, stream) => stream.resume()); // no operation of this sandbox takes a file
    await pipeline(request, parser);
    return entries;
  } catch {
    return []; // no boundary, or a body that ends in the middle: no token then, and so no permission
  }
}
