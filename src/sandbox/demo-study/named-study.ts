import type { Study } from '../redcap/study.js';

/** The studies that a sandbox can begin with, by name; the first one is the default. */
export const STUDY_NAMES = ['classic', 'longitudinal'] as const;

export type StudyName = (typeof STUDY_NAMES)[number];

/** Makes a study of the sandbox: only the one that is asked for is loaded. */
export async function createNamedStudy(name: StudyName): Promise<Study> {
  if (name === 'longitudinal') {
    const { createLongitudinalStudy } = await import('../longitudinal-study/longitudinal-study.js');
    return createLongitudinalStudy();
  }
  const { createDemoStudy } = await import('./demo-study.js');
  return createDemoStudy();
}
