import { hkdfSync, randomBytes } from 'node:crypto';
import type { Settings } from './config/settings.js';
import type { ApiToken } from '../domain/identifiers/api-token.js';
import type { Secret } from '../domain/identifiers/secret.js';
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

type KeySettings = Pick<Settings, 'pseudonymKey' | 'appwrite' | 'capture'> &
  Partial<Pick<Settings, 'projectName'>>;

/**
 * Returns every key with which a service with these settings may have written pseudonyms, the current one first: the
 * operator's own, that of the sign-in, and, without a sign-in, that of the project. A record has the same pseudonym in
 * the audit log of every process. For one of several projects (`PROJECTS_FILE`), a record has another one in each.
 */
export function pseudonymKeysOf(settings: KeySettings): Buffer[] {
  const { appwrite, capture, pseudonymKey, projectName: project } = settings;
  const ofSignIn = appwrite && deriveAuthKeys(appwrite.apiKey.reveal(), appwrite.projectId).pseudonym;
  const ofToken = capture && pseudonymKeyFrom(capture.token);
  const keys =
    project === undefined
      ? [ownPseudonymKey(settings), ofSignIn, ofToken]
      : [pseudonymKey && pseudonymKeyFrom(pseudonymKey, project), ofToken, ofSignIn];
  return keys.filter((key) => key !== undefined);
}

function pseudonymKeyFrom(secret: Pick<Secret, 'reveal'>, project = ''): Buffer {
  return Buffer.from(hkdfSync('sha256', secret.reveal(), project, 'crf-service pseudonyms', 32));
}
