import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { digestOf } from '../domain/crypto/digest.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import type { PolicyFiles } from './caller-views.js';
import { readPolicyFile } from './policy-file.js';
import { otherFile, readPolicyLock } from './policy-lock.js';

/** Returns where the lock of a policy file is: `trial.lock` beside `trial.yaml`. */
export function lockPathOf(path: string): string {
  return `${path.replace(/\.(?:ya?ml|json)$/i, '')}.lock`;
}

/**
 * Reads a policy file and the lock beside it.
 *
 * @throws {ConfigurationError} one of them is missing or cannot be used, or the lock is that of another policy file
 */
export async function loadPolicyFiles(path: string): Promise<PolicyFiles> {
  const policy = await bytesOf(path, 'names a file that cannot be read');
  const set = readPolicyFile(policy);
  const name = basename(lockPathOf(path));
  const missing = `has no ${name} beside it that can be read: crf policy accept writes it`;
  const bytes = await bytesOf(lockPathOf(path), missing);
  const lock = readPolicyLock(bytes.toString(), name);
  const message = otherFile(lock, basename(path));
  if (message !== undefined) throw new ConfigurationError([{ field: name, message }]);
  return { set, lock, digests: { policy: digestOf(policy), lock: digestOf(bytes) } };
}

async function bytesOf(path: string, rule: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new ConfigurationError([{ field: 'POLICY_FILE', message: rule }], { cause });
  }
}
