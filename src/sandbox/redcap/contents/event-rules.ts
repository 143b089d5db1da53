import type { SandboxProject } from '../project.js';
import { ApiFailure } from '../wire/api-failure.js';
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
