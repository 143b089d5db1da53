import { InvalidRequestError } from '../../errors/caller-errors.js';

/**
 * Returns the error for a file that cannot be read.
 *
 * @param field the argument or option that names the file
 * @param cause the error of the file system
 */
export function unreadableFile(field: string, cause: unknown): InvalidRequestError {
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  const message = MESSAGES.get(code) ?? 'must name a file that can be read';
  return new InvalidRequestError([{ field, message }], { cause });
}

const MESSAGES: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'must name a file that exists'],
  ['EISDIR', 'must name a file, not a folder'],
  ['EACCES', 'must name a file that you are allowed to read'],
]);
