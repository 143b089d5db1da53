import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { nearestName } from '../../domain/identifiers/nearest-name.js';
import { ENVIRONMENT_VARIABLES } from './environment-table.js';

const KNOWN: ReadonlySet<string> = new Set(
  ENVIRONMENT_VARIABLES.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
);

/** The families of settings that decide who may do what, and what is written down about it. */
const PROTECTING = /^(?:(?:API|AUDIT|POLICY|PSEUDONYM|SESSION)_|ALLOW)/;

/** What others set: the session manager of a desktop, and Kubernetes for each service of the namespace. */
const FOREIGN =
  /^SESSION_MANAGER$|_SERVICE_HOST$|_SERVICE_PORT(?:_|$)|_PORT$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/;

/** Whether an environment variable is a setting of this package. */
export function isKnownSetting(name: string): boolean {
  return KNOWN.has(name);
}

/** Whether an environment variable is a setting of this package, or is probably meant as one. */
export function isMeantAsSetting(name: string): boolean {
  return KNOWN.has(name) || /^(CAPTURE|APPWRITE)_/.test(name) || isMeantToProtect(name);
}

/** Whether a name belongs to a family of settings that protect, whether or not there is such a setting. */
function isMeantToProtect(name: string): boolean {
  return PROTECTING.test(name) && !FOREIGN.test(name);
}

/**
 * Refuses a name in a family that protects and that is no setting: with a misspelt `API_KEYS` the service would be open
 * (OPS-09). Other unknown names are only warned of, because the environment is shared with other programs.
 *
 * @param environment the environment of the process
 */
export function unknownProtections(
  environment: Readonly<Record<string, string | undefined>>,
): FieldProblem[] {
  const unknown = Object.keys(environment).filter(
    (name) => isMeantToProtect(name) && !KNOWN.has(name) && environment[name]?.trim() !== '',
  );
  return unknown.map((field) => {
    const meant = nearestName(field, KNOWN);
    const advice =
      meant === undefined
        ? 'remove it, because a misspelt protection would be none'
        : `did you mean ${meant}?`;
    return { field, message: `is not a setting of this package; ${advice}` };
  });
}
