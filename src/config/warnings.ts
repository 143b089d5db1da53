import { ENVIRONMENT_VARIABLES } from './environment-table.js';
import type { Environment } from './secret-files.js';

/** @returns what is allowed and should be known, a sentence each, without any value */
export function warningsOf(environment: Environment): string[] {
  const open =
    environment.ALLOW_ANONYMOUS?.trim() === 'true'
      ? ['ALLOW_ANONYMOUS=true: whoever reaches this server reads and writes the whole project.']
      : [];
  const unknown = misspelt(environment).map(
    (name) => `${name} is no setting of this package: is it misspelt?`,
  );
  return [...open, ...unknown];
}

const KNOWN: ReadonlySet<string> = new Set(
  ENVIRONMENT_VARIABLES.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
);

/** Names that can only be meant for this package; a misspelt limit would be a default in silence. */
function misspelt(environment: Environment): string[] {
  return Object.keys(environment).filter((name) => /^(CAPTURE|APPWRITE)_/.test(name) && !KNOWN.has(name));
}
