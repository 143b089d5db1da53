import { ENVIRONMENT_VARIABLES } from './environment-table.js';

const KNOWN: ReadonlySet<string> = new Set(
  ENVIRONMENT_VARIABLES.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
);

/** @returns whether a variable of the environment is a setting of this package */
export function isKnownSetting(name: string): boolean {
  return KNOWN.has(name);
}

/** @returns whether it is one, or can only be meant as one */
export function isMeantAsSetting(name: string): boolean {
  return KNOWN.has(name) || /^(CAPTURE|APPWRITE)_/.test(name);
}
