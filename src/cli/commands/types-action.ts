import { readFile, stat, writeFile } from 'node:fs/promises';
import { compareProjectTypes } from '../../domain/dictionary/project-types/compare-project-types.js';
import {
  MADE_BY_CRF_TYPES,
  writeProjectTypes,
} from '../../domain/dictionary/project-types/write-project-types.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { CliError } from '../cli-error.js';
import type { TypesArguments } from './types.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { readTextFile } from '../files/read-text-file.js';
import { unwritableFile } from '../files/refused-file.js';
import { outputFile } from '../options/hyphens.js';
import { withClient } from '../open-client.js';

/**
 * Writes the types of the project, or compares a file with them.
 *
 * @returns the exit code
 * @throws {CliError} the file to write exists, and is not the project's types
 */
export async function runTypes(options: TypesArguments): Promise<ExitCode> {
  const { check, quiet } = options;
  const output = outputFile(options.output);
  const isKept = output !== undefined || check !== undefined;
  if (output !== undefined) await refuseOtherFile(output);
  return withClient({ ...options, needsProject: isKept }, async ({ client }) => {
    const [structure, { title }] = await Promise.all([loadProjectStructure(client), client.getProjectInfo()]);
    const types = writeProjectTypes(structure, title);
    if (check !== undefined) return compare(check, types, quiet);
    if (output === undefined) process.stdout.write(types);
    else {
      await writeFile(output, types).catch((cause: unknown) => {
        throw unwritableFile('--output', cause);
      });
      if (!quiet)
        process.stderr.write(
          `Wrote the types of ${structure.dictionary.fields.length} fields to ${output}.\n`,
        );
    }
    return EXIT_CODES.ok;
  });
}

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

async function compare(file: string, types: string, isQuiet: boolean): Promise<ExitCode> {
  const written = await readTextFile(file, '--check');
  const changes = compareProjectTypes(written, types);
  if (changes.length === 0) {
    if (!isQuiet) process.stderr.write(`${file} is up to date.\n`);
    return EXIT_CODES.ok;
  }
  process.stderr.write(`${changes.join('\n')}\nRun crf types -o ${file} to bring it up to date.\n`);
  return EXIT_CODES.failed;
}
