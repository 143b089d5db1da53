import { readFile } from 'node:fs/promises';
import type { Settings } from './config/settings.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import type { StudyOptions } from '../services/summary/study-options.js';

/**
 * Returns what a study plans: what its file says, and otherwise the settings. A sandbox without a file has the plan of
 * its own study.
 *
 * @throws {ConfigurationError} the file cannot be used
 */
export async function openStudy({ project, capture, studyFile, sandbox }: Settings): Promise<StudyOptions> {
  const study: StudyOptions = { ...project.study, timeZone: project.timeZone };
  if (studyFile !== undefined) return { ...study, ...(await readPlan(studyFile)) };
  if (capture !== undefined || sandbox.study !== 'longitudinal') return study;
  const { TRIAL_STUDY } = await import('../sandbox/longitudinal-study/trial-design.js');
  return { ...study, ...TRIAL_STUDY, today: sandbox.until };
}

async function readPlan(path: string): Promise<StudyOptions> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    const problem = { field: 'STUDY_FILE', message: 'names a file that cannot be read' };
    throw new ConfigurationError([problem], { cause });
  });
  const { readStudyFile } = await import('../services/summary/study-file.js');
  try {
    return readStudyFile(bytes);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const inFile = error.errors.map(({ field, message }) => ({
      field: 'STUDY_FILE',
      message: `${field}: ${message}`,
    }));
    throw new ConfigurationError(inFile, { cause: error });
  }
}
