import { hkdfSync, randomBytes } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import type { ApiToken } from '../identifiers/api-token.js';
import type { Secret } from '../identifiers/secret.js';
import { deriveAuthKeys } from '../services/auth/auth-keys.js';

/** Derives the key of page cursors. It is the same for every process of a project and is never stored. */
export function cursorKeyFrom(token: ApiToken): Buffer {
  return Buffer.from(hkdfSync('sha256', token.reveal(), '', 'crf-service records cursor', 32));
}

/** Derives what keys of views are hashed with; random on the sandbox, which has no secret. */
export function viewSecretFrom(token: ApiToken | undefined): string {
  if (token === undefined) return randomBytes(32).toString('base64url');
  return Buffer.from(hkdfSync('sha256', token.reveal(), '', 'crf-service views', 32)).toString('base64url');
}

/** Returns the operator's own key of pseudonyms, which outlives tokens; undefined if there is none. */
export function ownPseudonymKey({ pseudonymKey }: Pick<Settings, 'pseudonymKey'>): Buffer | undefined {
  return pseudonymKey && pseudonymKeyFrom(pseudonymKey);
}

/**
 * Returns every key with which a service with these settings may have written pseudonyms, the current one first: the
 * operator's own, that of the sign-in, and, without a sign-in, that of the project. A record has the same pseudonym in
 * the audit log of every process.
 */
export function pseudonymKeysOf(settings: Pick<Settings, 'pseudonymKey' | 'signIn' | 'capture'>): Buffer[] {
  const { signIn, capture } = settings;
  return [
    ownPseudonymKey(settings),
    signIn && deriveAuthKeys(signIn.apiKey.reveal(), signIn.projectId).pseudonym,
    capture && pseudonymKeyFrom(capture.token),
  ].filter((key) => key !== undefined);
}

function pseudonymKeyFrom(secret: Pick<Secret, 'reveal'>): Buffer {
  return Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'crf-service pseudonyms', 32));
}
