import type { Study } from './redcap/study.js';

/** The names of the studies that a sandbox can start with; the first one is the default. */
export const STUDY_NAMES = ['classic', 'longitudinal'] as const;

export type StudyName = (typeof STUDY_NAMES)[number];

/** A made-up study, and the last day of it, `YYYY-MM-DD`. */
export interface MadeUpStudy {
  readonly study: StudyName;
  /** The day before today by default: the log of a sandbox that starts has no entries of the future. */
  readonly until?: string | undefined;
}

/** Creates one of the sandbox's studies, and loads only its module. */
export async function createNamedStudy({ study, until = yesterday() }: MadeUpStudy): Promise<Study> {
  if (study === 'longitudinal') {
    const { createLongitudinalStudy } = await import('./longitudinal-study/longitudinal-study.js');
    return createLongitudinalStudy({ until });
  }
  const { createDemoStudy } = await import('./demo-study/demo-study.js');
  return createDemoStudy({ until });
}

/** In UTC, as is the time of a sandbox. */
function yesterday(): string {
  return new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
}
