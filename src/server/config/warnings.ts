import { likelyMistakes } from './likely-mistakes.js';
import { isOpenByDefault } from './open-mode.js';
import type { Environment } from './secret-files.js';
import { isKnownSetting, isMeantAsSetting } from './setting-names.js';

/**
 * Returns warnings about valid but risky settings, one sentence each, without values.
 *
 * @param environment the environment of the process
 * @param given the same environment, as returned by `withSecretFiles`
 */
export function warningsOf(environment: Environment, given: Environment): string[] {
  const unknown = misspelt(environment).map(
    (name) => `${name} is not a setting of this package: is it misspelled?`,
  );
  return [...openness(given), ...likelyMistakes(given), ...unknown];
}

/** How an operator closes the service. */
const CLOSE = 'To close it, run crf key create and set API_KEYS, or set APPWRITE_* for people who sign in.';

/**
 * Warns if a project can be reached without a credential. The sandbox needs no warning, because it has nothing to
 * protect.
 */
function openness(given: Environment): string[] {
  if (given.ALLOW_ANONYMOUS === 'true')
    return [
      `OPEN: ALLOW_ANONYMOUS=true, so everybody who can reach this server can read and write the project without a credential. ${CLOSE}`,
    ];
  if (given.CAPTURE_API_URL === undefined || !isOpenByDefault(given)) return [];
  return [
    `OPEN: no credential is configured, so every user and program on this machine can read and write the project, and so can everybody whom a proxy lets in. ${CLOSE}`,
  ];
}

/** Returns names that are probably misspelled settings, whose default would otherwise apply silently. */
function misspelt(environment: Environment): string[] {
  return Object.keys(environment).filter((name) => isMeantAsSetting(name) && !isKnownSetting(name));
}
