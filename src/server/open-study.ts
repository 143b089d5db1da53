import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.js';
import { CrfError } from '../errors/crf-error.js';
import { ConfigurationError } from '../errors/operator-errors.js';
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

/**
 * Returns a function that reads the file of the study again. It never rejects: what cannot be used is logged, and the
 * previous plan kept.
 *
 * @param use puts a plan to use
 */
export function studyReread(
  settings: Settings,
  use: (study: StudyOptions) => void,
  logger: Pick<Logger, 'info' | 'error'>,
): () => Promise<void> {
  return async () => {
    try {
      use(await openStudy(settings));
      logger.info('the file of the study was read again and is in use');
    } catch (error) {
      const problems = error instanceof CrfError ? error.errors : undefined;
      logger.error({ problems }, 'the file of the study cannot be used: the previous one is kept');
    }
  };
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
