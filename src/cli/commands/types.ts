import { readFile, stat, writeFile } from 'node:fs/promises';
import {
  isUpToDate,
  MADE_BY_CRF_TYPES,
  writeProjectTypes,
} from '../../domain/dictionary/project-types/write-project-types.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { CliError, EXIT_CODES, type ExitCode } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import { unwritableFile } from '../files/refused-file.js';
import type { Io } from '../io.js';
import { withClient } from '../open-client.js';
import { outputFile } from '../options/file-options.js';
import { value } from '../options/option.js';

export const command = defineCommand({
  args: {
    output: value('Write to this file instead of stdout', { alias: 'o' }),
    check: value('Compare this file with the project, and say whether it has changed', {
      conflicts: 'output',
    }),
  },
  examples: {
    '$0 types -o project.ts': 'Write the types of the project',
    '$0 types --check project.ts': 'Fail in CI when the project has changed',
  },
  epilogue:
    'Exit codes: 0 written, or up to date; 1 the project has changed since, or failed; 2 usage, 3 credentials refused, 4 unreachable or timed out.',
  run: async (options, io) => {
    const { check, quiet } = options;
    const output = outputFile(options.output);
    const isKept = output !== undefined || check !== undefined;
    if (output !== undefined) await refuseOtherFile(output);
    return withClient({ ...options, needsProject: isKept }, io, async ({ client }) => {
      const [structure, { title }] = await Promise.all([
        loadProjectStructure(client),
        client.project.getInfo(),
      ]);
      const types = writeProjectTypes(structure, title);
      if (check !== undefined) return compare(check, types, quiet, io);
      if (output === undefined) io.stdout.write(types);
      else {
        await writeFile(output, types).catch((cause: unknown) => {
          throw unwritableFile('--output', cause);
        });
        if (!quiet)
          io.stderr.write(`Wrote the types of ${structure.dictionary.fields.length} fields to ${output}.\n`);
      }
      return EXIT_CODES.ok;
    });
  },
});

/**
 * Refuses to replace a file that `crf types` has not written. What is no file, such as a named pipe, is not replaced but
 * written to, and what cannot be read is left to the attempt to write.
 */
async function refuseOtherFile(output: string): Promise<void> {
  const stats = await stat(output).catch(() => undefined);
  if (!stats?.isFile()) return;
  const existing = await readFile(output, 'utf8').catch(() => '');
  if (existing.trim() === '' || existing.includes(MADE_BY_CRF_TYPES)) return;
  throw new CliError(
    `${output} exists, and was not made by crf types. Name another file for --output; nothing was written.`,
    EXIT_CODES.usage,
  );
}

async function compare(file: string, types: string, isQuiet: boolean, io: Io): Promise<ExitCode> {
  const written = await readTextFile(file, io, '--check');
  if (isUpToDate(written, types)) {
    if (!isQuiet) io.stderr.write(`${file} is up to date.\n`);
    return EXIT_CODES.ok;
  }
  io.stderr.write(
    written.includes(MADE_BY_CRF_TYPES)
      ? `The project has changed since ${file} was written. Run crf types -o ${file}: the difference shows how.\n`
      : `${file} was not made by crf types.\n`,
  );
  return EXIT_CODES.failed;
}
