import type { SandboxProject } from '../project.js';
import { ApiFailure } from '../wire/api-failure.js';
import type { Parameters } from '../wire/parameters.js';

/** @throws {ApiFailure} 400 with the text, for a project without events */
export function refuseClassic(project: SandboxProject, text: string): void {
  if (!project.isLongitudinal) throw new ApiFailure(400, text);
}

/** A filter by the parameter `arms`. */
export function inArms<T>(parameters: Parameters, armOf: (item: T) => number): (item: T) => boolean {
  const wanted = parameters.list('arms');
  return (item) => wanted === undefined || wanted.includes(String(armOf(item)));
}
