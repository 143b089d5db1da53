import { ENVIRONMENT_VARIABLES } from './environment-table.js';

const KNOWN: ReadonlySet<string> = new Set(
  ENVIRONMENT_VARIABLES.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
);

/** Whether an environment variable is a setting of this package. */
export function isKnownSetting(name: string): boolean {
  return KNOWN.has(name);
}

/** Whether an environment variable is a setting of this package, or is probably meant as one. */
export function isMeantAsSetting(name: string): boolean {
  return KNOWN.has(name) || /^(CAPTURE|APPWRITE)_/.test(name);
}
