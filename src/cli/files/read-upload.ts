import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { heard } from '../../domain/bytes/heard.js';
import type { FileUpload } from '../../gateways/redcap/crf-client.js';
import { IS_FOLDER, unreadableFile } from './refused-file.js';

/** The file to upload, with its name and media type. */
export interface UploadArguments {
  /** A path; `-` for standard input. */
  readonly file: string;
  /** Its name in REDCap; by default, the file name. */
  readonly name?: string | undefined;
  /** Its media type; by default, derived from the extension of the name. */
  readonly type?: string | undefined;
}

/**
 * Opens a local file as an upload. It is read while it is sent.
 *
 * @throws {InvalidRequestError} the file cannot be read, or a name for standard input is missing
 */
export async function readUpload({ file, name, type }: UploadArguments): Promise<FileUpload> {
  if (file === '-') {
    if (name === undefined) {
      throw new InvalidRequestError([{ field: '--name', message: 'is needed for standard input' }]);
    }
    return { name, contentType: type ?? (await typeOf(name)), bytes: process.stdin };
  }
  const handle = await open(file).catch((cause: unknown) => {
    throw unreadableFile('file', cause);
  });
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw unreadableFile('file', IS_FOLDER);
  }
  const sent = name ?? basename(file);
  return {
    name: sent,
    contentType: type ?? (await typeOf(sent)),
    bytes: heard(handle.createReadStream()) as AsyncIterable<Buffer>,
    // The length of a pipe is not known in advance.
    length: stats.isFile() ? stats.size : undefined,
  };
}

async function typeOf(name: string): Promise<string> {
  const { default: mimeTypes } = await import('mime-types');
  return mimeTypes.lookup(name) || 'application/octet-stream';
}
