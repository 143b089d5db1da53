import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { isObject } from '../../domain/identifiers/check-options.js';
import { EXPORTED_ONLY } from '../../gateways/redcap/contents/projects.js';
import type { ProjectSettings } from '../../gateways/redcap/crf-client.js';
import { DesignService } from '../../services/design/design-service.js';
import { defineCommand, subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import { withClient } from '../open-client.js';
import { needed } from '../options/option.js';
import { DRY_RUN, ENCODING_OPTION } from '../options/shared-options.js';
import { printChange } from '../printing/design-change.js';

const putCommand = subcommand({
  usage: 'put <file>',
  describe: 'Change settings of the project, from a JSON object; what is not in it stays',
  args: {
    file: needed('JSON file; - for standard input'),
    ...ENCODING_OPTION,
    ...DRY_RUN,
  },
  examples: { 'echo \'{"title":"Cohort 2026"}\' | $0 settings put -': 'Rename the project' },
  run: async (options, io) => {
    const settings = settingsOf(await readTextFile(options.file, io, 'file', options));
    const { dryRun } = options;
    await withClient({ ...options, needsProject: !dryRun }, io, async ({ client }) => {
      printChange(await new DesignService(client).putInfo(settings, { dryRun }), io);
    });
  },
});

export const command = defineCommand({ subcommands: [putCommand] });

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
