import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidRequestError } from '../errors/caller-errors.js';
import type { FileUpload } from '../gateways/redcap/crf-client.js';
import { CliError } from './cli-error.js';
import { EXIT_CODES } from './exit-codes.js';

/** What is uploaded, and as what. */
export interface UploadArguments {
  /** A path; `-` for standard input. */
  readonly file: string;
  /** Its name in REDCap; that of the path by default. */
  readonly name?: string;
  /** Its media type; by the ending of its name by default. */
  readonly type?: string;
}

/**
 * A file of this machine as an upload, read while it is sent.
 *
 * @throws {CliError} it cannot be read, or standard input has no name
 */
export async function readUpload({ file, name, type }: UploadArguments): Promise<FileUpload> {
  if (file === '-') {
    if (name === undefined) {
      throw new InvalidRequestError([{ field: '--name', message: 'is needed for standard input' }]);
    }
    return { name, contentType: type ?? (await typeOf(name)), bytes: process.stdin };
  }
  const handle = await open(file).catch((cause: NodeJS.ErrnoException) => {
    throw new CliError(`The file cannot be read (${cause.code}).`, EXIT_CODES.usage, { cause });
  });
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw new CliError('The file cannot be read: it is a folder.', EXIT_CODES.usage);
  }
  const sent = name ?? basename(file);
  return {
    name: sent,
    contentType: type ?? (await typeOf(sent)),
    bytes: handle.createReadStream() as AsyncIterable<Buffer>,
    // A pipe has no length before its end.
    length: stats.isFile() ? stats.size : undefined,
  };
}

async function typeOf(name: string): Promise<string> {
  const { default: mimeTypes } = await import('mime-types');
  return mimeTypes.lookup(name) || 'application/octet-stream';
}
