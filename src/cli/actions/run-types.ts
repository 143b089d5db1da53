import { readFile, writeFile } from 'node:fs/promises';
import { compareProjectTypes } from '../../dictionary/project-types/compare-project-types.js';
import { writeProjectTypes } from '../../dictionary/project-types/write-project-types.js';
import { loadProjectStructure } from '../../services/project-structure/load-project-structure.js';
import { CliError } from '../cli-error.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { outputFile } from '../options/hyphens.js';
import { withClient } from '../open-client.js';

export interface TypesArguments {
  readonly output?: string;
  readonly check?: string;
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
      await writeFile(output, types).catch(failed(`${output} could not be written`));
      if (!quiet)
        process.stderr.write(
          `Wrote the types of ${structure.dictionary.fields.length} fields to ${output}.\n`,
        );
    }
    return EXIT_CODES.ok;
  });
}

async function compare(file: string, types: string, isQuiet: boolean): Promise<ExitCode> {
  const written = await readFile(file, 'utf8').catch(failed(`${file} could not be read`));
  const changes = compareProjectTypes(written, types);
  if (changes.length === 0) {
    if (!isQuiet) process.stderr.write(`${file} is up to date.\n`);
    return EXIT_CODES.ok;
  }
  process.stderr.write(`${changes.join('\n')}\nRun crf types -o ${file} to bring it up to date.\n`);
  return EXIT_CODES.failed;
}

/** @returns an error handler that throws the file system's error code without other details */
function failed(what: string): (error: unknown) => never {
  return (cause) => {
    const { code = 'an unknown error' } = cause as NodeJS.ErrnoException;
    throw new CliError(`${what} (${code}).`, EXIT_CODES.failed, { cause });
  };
}
