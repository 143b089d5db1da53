import { likelyMistakes } from './likely-mistakes.js';
import { isOpenByDefault } from './open-mode.js';
import type { Environment } from './secret-files.js';
import { isKnownSetting, isMeantAsSetting } from './setting-names.js';

/**
 * @param environment as the process has it
 * @param given the same as `withSecretFiles` answers it
 * @returns what is allowed and should be known, a sentence each, without any value
 */
export function warningsOf(environment: Environment, given: Environment): string[] {
  const unknown = misspelt(environment).map(
    (name) => `${name} is not a setting of this package: is it misspelt?`,
  );
  return [...openness(given), ...likelyMistakes(given), ...unknown];
}

/** Who can reach a project without a credential. Nothing is said of the sandbox: there is nothing to protect. */
function openness(given: Environment): string[] {
  if (given.ALLOW_ANONYMOUS === 'true')
    return ['ALLOW_ANONYMOUS=true: whoever reaches this server reads and writes the whole project.'];
  if (given.CAPTURE_API_URL === undefined || !isOpenByDefault(given)) return [];
  return [
    'No credential is asked for: every user and every program of this machine reads and writes the whole project. Set API_KEYS or APPWRITE_* to ask for one.',
  ];
}

/** Names that can only be meant for this package; a misspelt limit would be a default in silence. */
function misspelt(environment: Environment): string[] {
  return Object.keys(environment).filter((name) => isMeantAsSetting(name) && !isKnownSetting(name));
}
