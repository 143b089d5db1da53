import { writeFile } from 'node:fs/promises';
import { compareProjectTypes } from '../../dictionary/project-types/compare-project-types.js';
import { writeProjectTypes } from '../../dictionary/project-types/write-project-types.js';
import { loadProjectStructure } from '../../services/project-structure/load-project-structure.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { readTextFile } from '../files/read-text-file.js';
import { unwritableFile } from '../files/refused-file.js';
import { outputFile } from '../options/hyphens.js';
import { withClient } from '../open-client.js';

export interface TypesArguments {
  readonly output?: string | undefined;
  readonly check?: string | undefined;
  readonly sandbox: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Writes the types of the project, or compares a file with them. @returns the exit code */
export async function runTypes(options: TypesArguments): Promise<ExitCode> {
  const { check, quiet } = options;
  const output = outputFile(options.output);
  const isKept = output !== undefined || check !== undefined;
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
