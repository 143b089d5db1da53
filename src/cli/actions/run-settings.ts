import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { ProjectInfo, ProjectSettings } from '../../gateways/redcap/crf-client.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { withClient } from '../open-client.js';
import { readTextFile } from '../files/read-text-file.js';

/** The settings allowed in a file, with their types. */
const SETTINGS: Readonly<Record<keyof ProjectSettings, 'string' | 'number' | 'boolean'>> = {
  title: 'string',
  language: 'string',
  purpose: 'number',
  purposeOther: 'string',
  notes: 'string',
  customRecordLabel: 'string',
  secondaryUniqueField: 'string',
  isLongitudinal: 'boolean',
  surveysEnabled: 'boolean',
  schedulingEnabled: 'boolean',
  recordAutonumberingEnabled: 'boolean',
  randomizationEnabled: 'boolean',
  irbNumber: 'string',
  grantNumber: 'string',
  piFirstName: 'string',
  piLastName: 'string',
};

/** What `crf info --json` prints beside the settings: REDCap's API cannot change it. */
const READ_ONLY: Readonly<Record<Exclude<keyof ProjectInfo, keyof ProjectSettings>, true>> = {
  id: true,
  creationTime: true,
  productionTime: true,
  isInProduction: true,
  hasRepeatingInstrumentsOrEvents: true,
  missingDataCodes: true,
};

/**
 * Changes the settings in a file. What REDCap's API cannot change is left out.
 *
 * @throws {InvalidRequestError} not an object of settings; names the setting, never a value
 */
export async function putSettings(file: string, options: GlobalArguments): Promise<void> {
  const settings = settingsOf(await readTextFile(file));
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    process.stdout.write(`${await client.projects.changeSettings(settings)}\n`);
  });
}

/** Reads settings, such as `crf info --json` prints. @throws {InvalidRequestError} names the setting, never a value */
export function settingsOf(text: string): ProjectSettings {
  const given = Object.entries(parse(text));
  const settings = given.filter(([name]) => !Object.hasOwn(READ_ONLY, name));
  const problems = settings.flatMap(([name, setting]) => {
    const type = Object.hasOwn(SETTINGS, name) ? SETTINGS[name as keyof ProjectSettings] : undefined;
    if (type === undefined)
      return [{ field: 'file', message: `may have ${Object.keys(SETTINGS).join(', ')} only` }];
    return typeof setting === type ? [] : [{ field: name, message: `must be a ${type}` }];
  });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return Object.fromEntries(settings);
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below, as the parser's message may contain a value.
  }
  throw new InvalidRequestError([{ field: 'file', message: 'must hold a JSON object' }]);
}
