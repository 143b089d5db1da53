import { InvalidRequestError } from '../../domain/errors/caller-errors.js';

/**
 * Returns the error for a file that cannot be read.
 *
 * @param field the argument or option that names the file
 * @param cause the error of the file system
 */
export function unreadableFile(field: string, cause: unknown): InvalidRequestError {
  return refusedFile(field, cause, UNREADABLE, 'must name a file that can be read');
}

/**
 * Returns the error for a file that cannot be written.
 *
 * @param field the option that names the file
 * @param cause the error of the file system
 */
export function unwritableFile(field: string, cause: unknown): InvalidRequestError {
  return refusedFile(field, cause, UNWRITABLE, 'must name a file that can be written');
}

/** A folder where a file is needed, as the file system reports it. */
export const IS_FOLDER = { code: 'EISDIR' } as const;

function refusedFile(
  field: string,
  cause: unknown,
  messages: ReadonlyMap<unknown, string>,
  rule: string,
): InvalidRequestError {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  const message = messages.get(code) ?? (typeof code === 'string' ? `${rule} (${code})` : rule);
  return new InvalidRequestError([{ field, message }], { cause });
}

const NOT_A_FOLDER = 'must name a file, not a folder';

const UNREADABLE: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'must name a file that exists'],
  ['EISDIR', NOT_A_FOLDER],
  ['EACCES', 'must name a file that you are allowed to read'],
]);

const UNWRITABLE: ReadonlyMap<unknown, string> = new Map([
  ['ELOOP', 'must name a file, not a link'],
  ['ENOENT', 'must name a file in a folder that exists'],
  ['ENOTDIR', 'must name a file in a folder that exists'],
  ['EISDIR', NOT_A_FOLDER],
  ['EACCES', 'must name a file that you are allowed to write'],
  ['EROFS', 'must name a file on a disk that can be written'],
]);
