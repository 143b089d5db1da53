import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import { Parameters } from './parameters.js';

/**
 * Reads the body of a call, urlencoded or multipart: PHP decodes both into the same parameters.
 *
 * @see protocol reference 1.2 (client)
 */
export async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return new Parameters(await readMultipart(request));
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new Parameters(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}

function readMultipart(request: IncomingMessage): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const entries: [string, string][] = [];
    const parser = busboy({
      headers: request.headers,
      limits: { fieldSize: Number.POSITIVE_INFINITY, fields: Number.POSITIVE_INFINITY },
    });
    parser.on('field', (name, value) => entries.push([name, value]));
    parser.on('file', (_name, stream) => stream.resume()); // no operation of this sandbox takes a file
    parser.on('close', () => resolve(entries));
    parser.on('error', reject);
    request.pipe(parser);
  });
}
