import type { SandboxProject } from '../project.js';
import { ApiFailure, invalidParameter } from '../wire/api-failure.js';
import type { Parameters } from '../wire/parameters.js';

/** @throws {ApiFailure} 400 with the given message, if the project has no events */
export function refuseClassic(project: SandboxProject, text: string): void {
  if (!project.isLongitudinal) throw new ApiFailure(400, text);
}

/** Returns a filter for the arms that the parameter `arms` lists; without it, every arm passes. */
export function inArms<T>(parameters: Parameters, armOf: (item: T) => number): (item: T) => boolean {
  const wanted = parameters.list('arms');
  return (item) => wanted === undefined || wanted.includes(String(armOf(item)));
}

/** Returns the names that a parameter lists. @throws {ApiFailure} 400 if there are none, or one is not known */
export function givenNames(
  parameters: Parameters,
  parameter: string,
  isKnown: (name: string) => boolean = () => true,
): ReadonlySet<string> {
  const names = new Set(parameters.list(parameter));
  if (names.size === 0 || ![...names].every(isKnown)) throw invalidParameter(parameter);
  return names;
}

/** @throws {ApiFailure} 400 if there is no such user, role or group; a blank role or group is none */
export function requireKnown(
  what: 'user' | 'role' | 'data access group',
  name: string,
  isKnown: boolean,
): void {
  if (!isKnown) throw new ApiFailure(400, `The ${what} '${name}' does not exist in the project`);
}
