import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digestOf } from '../crypto/digest.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import type { PolicyFiles } from './caller-views.js';
import { readPolicyFile } from './policy-file.js';
import { readPolicyLock } from './policy-lock.js';

/** Returns where the lock of a policy file is. */
export function lockPathOf(path: string): string {
  return join(dirname(path), 'policy.lock');
}

/**
 * Reads a policy file and the lock beside it.
 *
 * @throws {ConfigurationError} one of them is missing or cannot be used
 */
export async function loadPolicyFiles(path: string): Promise<PolicyFiles> {
  const policy = await bytesOf(path, 'names a file that cannot be read');
  const set = readPolicyFile(policy);
  const missing = 'has no policy.lock beside it that can be read: crf policy accept writes it';
  const lock = await bytesOf(lockPathOf(path), missing);
  return {
    set,
    lock: readPolicyLock(lock.toString()),
    digests: { policy: digestOf(policy), lock: digestOf(lock) },
  };
}

async function bytesOf(path: string, rule: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new ConfigurationError([{ field: 'POLICY_FILE', message: rule }], { cause });
  }
}
