import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { heard } from '../../../domain/bytes/heard.js';
import { Parameters, type UploadedFile } from './parameters.js';

/**
 * Reads the body of a call, URL-encoded or multipart. PHP decodes both into the same parameters, and reads an invalid
 * body as one without parameters.
 *
 * @see docs/protocol/redcap.md 1.2 (client)
 */
export async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\/form-data/i.test(type)) return readMultipart(request);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new Parameters(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}

async function readMultipart(request: IncomingMessage): Promise<Parameters> {
  const entries: [string, string][] = [];
  let file: UploadedFile | undefined;
  try {
    const parser = heard(
      busboy({
        headers: request.headers,
        defParamCharset: 'utf8', // file names in any script
        preservePath: true, // busboy would drop the names `.` and `..`, which PHP keeps
        limits: { fieldSize: Number.POSITIVE_INFINITY, fields: Number.POSITIVE_INFINITY },
      }),
    );
    parser.on('field', (name, value) => entries.push([name, value]));
    const begunTooLate = new Promise<never>((_resolve, reject) => {
      parser.on('file', (part, stream, { filename, mimeType }) => {
        const chunks: Buffer[] = [];
        // If an upload is aborted, the parser fails too.
        heard(stream);
        // The parser waits for ever for a file that begins after the form in its last chunk, and has no other sign of it.
        if (Reflect.get(parser, '_complete') === true) return reject(new Error('A file after the form.'));
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (part === 'file')
            file = { name: withoutFolders(filename), type: mimeType, bytes: Buffer.concat(chunks) };
        });
      });
    });
    await Promise.race([pipeline(request, parser), begunTooLate]);
    return new Parameters(entries, file);
  } catch {
    return new Parameters([]); // no boundary, an incomplete body, or a part after its end: without a token, the call is refused
  }
}

/** PHP drops everything before the last slash or backslash of a file name. */
function withoutFolders(name = ''): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}
