import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { isObject } from '../../domain/identifiers/check-options.js';
import { EXPORTED_ONLY } from '../../gateways/redcap/contents/projects.js';
import type { ProjectSettings } from '../../gateways/redcap/crf-client.js';
import { readTextFile, type EncodingArguments } from '../files/read-text-file.js';
import { withClient } from '../open-client.js';
import type { GlobalArguments } from '../options/global-arguments.js';

/**
 * Changes the settings in a file. What REDCap's API cannot change is left out.
 *
 * @throws {InvalidRequestError} not an object of settings; names the setting, never a value
 */
export async function putSettings(file: string, options: GlobalArguments & EncodingArguments): Promise<void> {
  const settings = settingsOf(await readTextFile(file, 'file', options));
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    process.stdout.write(`${await client.projects.changeSettings(settings)}\n`);
  });
}

/**
 * Reads settings, such as `crf info --json` prints, without those that REDCap's API cannot change. Whether they are
 * settings is for the client to say.
 *
 * @throws {InvalidRequestError} the text is not an object of JSON
 */
export function settingsOf(text: string): ProjectSettings {
  return Object.fromEntries(
    Object.entries(parse(text)).filter(([name]) => !Object.hasOwn(EXPORTED_ONLY, name)),
  );
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below, as the parser's message may contain a value.
  }
  throw new InvalidRequestError([{ field: 'file', message: 'must hold a JSON object' }]);
}
