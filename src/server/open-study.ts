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
export async function openStudy({ values, capture }: Settings): Promise<StudyOptions> {
  const settings: StudyOptions = {
    start: values.STUDY_START,
    end: values.STUDY_END,
    target: values.STUDY_TARGET,
    dateField: values.STUDY_DATE_FIELD,
    smallCell: values.SMALL_CELL,
    timeZone: values.CAPTURE_TIME_ZONE,
  };
  if (values.STUDY_FILE !== undefined) return { ...settings, ...(await readPlan(values.STUDY_FILE)) };
  if (capture !== undefined || values.SANDBOX_STUDY !== 'longitudinal') return settings;
  const { TRIAL_STUDY } = await import('../sandbox/longitudinal-study/trial-design.js');
  return { ...settings, ...TRIAL_STUDY };
}

async function readPlan(path: string): Promise<StudyOptions> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new ConfigurationError([{ field: 'STUDY_FILE', message: 'names a file that cannot be read' }], {
      cause,
    });
  }
  const { readStudyFile } = await import('../services/summary/study-file.js');
  try {
    return readStudyFile(bytes);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const problems = error.errors ?? [];
    throw new ConfigurationError(
      problems.map(({ field, message }) => ({ field: 'STUDY_FILE', message: `${field}: ${message}` })),
      { cause: error },
    );
  }
}
