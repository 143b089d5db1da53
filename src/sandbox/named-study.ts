import type { Study } from './redcap/study.js';

/** The names of the studies that a sandbox can start with; the first one is the default. */
export const STUDY_NAMES = ['classic', 'longitudinal'] as const;

export type StudyName = (typeof STUDY_NAMES)[number];

/** Creates one of the sandbox's studies, and loads only its module. */
export async function createNamedStudy(name: StudyName): Promise<Study> {
  if (name === 'longitudinal') {
    const { createLongitudinalStudy } = await import('./longitudinal-study/longitudinal-study.js');
    return createLongitudinalStudy();
  }
  const { createDemoStudy } = await import('./demo-study/demo-study.js');
  return createDemoStudy();
}
