import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { heard } from '../domain/bytes/heard.js';

/** The form of a call, as far as it has been read. */
export interface Form {
  /**
   * Names and values in order of appearance. Those that come after the file are added before its bytes end.
   */
  readonly entries: readonly (readonly [name: string, value: string])[];
  /** The part named `file`: its bytes end with the form, and fail if the form proves wrong. They have to be read. */
  readonly file?: SentFile | undefined;
}

/** A file that is being sent. */
export interface SentFile {
  /** Without folders. */
  readonly name: string;
  /** The media type, as sent by the client. */
  readonly type: string;
  readonly bytes: Readable;
}

/**
 * Reads the body of a call, URL-encoded or multipart, up to its file. PHP decodes both into the same parameters, and
 * reads an invalid body as one without parameters.
 *
 * @param onText is called with the number of bytes of each piece before the file, and may throw
 * @throws what `onText` throws
 * @see docs/protocol/redcap.md 1.2 (client)
 */
export async function readForm(
  request: IncomingMessage,
  onText: (bytes: number) => void = () => undefined,
): Promise<Form> {
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\/form-data/i.test(type)) return readMultipart(request, onText);
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    let names = 0;
    for (let at = -1; (at = chunk.indexOf('&', at + 1)) !== -1;) names += 1;
    onText(chunk.length + names * PARAMETER_BYTES);
    chunks.push(chunk);
  }
  return { entries: [...new URLSearchParams(Buffer.concat(chunks).toString('utf8'))] };
}

/** What a parameter takes besides its text, or a body of `a&a&a…` would take sixty times its size, and minutes. */
const PARAMETER_BYTES = 512;
/** More than anyone sends after a file, where nobody counts. */
const LATE_BYTES = 1024 * 1024;

function readMultipart(request: IncomingMessage, onText: (bytes: number) => void): Promise<Form> {
  return new Promise((resolve, reject) => {
    const entries: [string, string][] = [];
    let parser: busboy.Busboy;
    let file: PassThrough | undefined;
    // No boundary, an incomplete body, or a part after its end: without a token, the call is refused.
    const invalid = (): void => {
      resolve({ entries: [] });
      file?.destroy(new Error('The form cannot be read.'));
      request.unpipe(parser);
      request.resume();
    };
    try {
      parser = heard(
        busboy({
          headers: request.headers,
          defParamCharset: 'utf8', // file names in any script
          preservePath: true, // busboy would drop the names `.` and `..`, which PHP keeps
          limits: { fieldSize: Number.POSITIVE_INFINITY, fields: Number.POSITIVE_INFINITY },
        }),
      );
    } catch {
      request.resume();
      resolve({ entries: [] });
      return;
    }
    const count = (bytes: number): void => {
      try {
        if (file === undefined) onText(bytes);
        else if (hasEnded && (late += bytes) > LATE_BYTES) invalid();
      } catch (error) {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what `onText` throws
        reject(error);
        invalid();
      }
    };
    let [hasEnded, late] = [false, 0];
    request.on('data', (chunk: Buffer) => count(chunk.length));
    // Without a name, and in a charset that nobody knows, there is none.
    parser.on('field', (name: string | undefined, value: string | undefined) => {
      entries.push([name ?? '', value ?? '']);
      count(PARAMETER_BYTES);
    });
    parser.on('file', (part, stream, { filename, mimeType }) => {
      // If an upload is aborted, the parser fails too.
      heard(stream);
      // The parser waits for ever for a file that begins after the form in its last chunk, and has no other sign of it.
      if (Reflect.get(parser, '_complete') === true) return invalid();
      if (part !== 'file' || file !== undefined) return void stream.resume();
      const bytes = heard(new PassThrough());
      file = bytes;
      stream.once('end', () => (hasEnded = true)).pipe(bytes, { end: false });
      parser.once('close', () => bytes.end());
      resolve({ entries, file: { name: withoutFolders(filename), type: mimeType, bytes } });
    });
    parser.on('error', invalid);
    parser.on('close', () => resolve({ entries }));
    request.once('aborted', invalid);
    request.pipe(parser);
  });
}

/** PHP drops everything before the last slash or backslash of a file name. */
function withoutFolders(name = ''): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}
