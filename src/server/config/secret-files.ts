import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeText } from '../../domain/bytes/decode-text.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { ENVIRONMENT_VARIABLES } from './environment-table.js';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A secret that was read from a file. */
export interface SecretFile {
  /** The setting, such as `API_KEYS` for `API_KEYS_FILE`. */
  readonly name: string;
  readonly path: string;
  /** The SHA-256 of the content in use, without blanks at its ends. */
  readonly digest: string;
}

/**
 * Replaces each `<NAME>_FILE` variable of a secret with the content of the file, and drops empty variables, which count
 * as unset.
 *
 * @param problems receives the errors, by variable name
 * @param files receives the files that were read
 */
export function withSecretFiles(
  environment: Environment,
  problems: FieldProblem[],
  files: SecretFile[] = [],
): Environment {
  const values: Record<string, string | undefined> = {};
  for (const { name, isSecret } of ENVIRONMENT_VARIABLES) {
    values[name] = given(environment[name]);
    const file = isSecret ? given(environment[`${name}_FILE`]) : undefined;
    if (file === undefined) continue;
    if (values[name] === undefined) {
      const text = read(`${name}_FILE`, file, problems);
      values[name] = text;
      if (text !== undefined) files.push({ name, path: file, digest: hash('sha256', text) });
    } else problems.push({ field: `${name}_FILE`, message: `must not be set together with ${name}` });
  }
  return values;
}

/** Returns a text without blanks at its ends, or undefined if nothing is left. */
export function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/** Reads a secret from a file, without the trailing line break that editors and secret stores add. */
function read(name: string, file: string, problems: FieldProblem[]): string | undefined {
  try {
    const read = decodeText(readFileSync(file));
    if (typeof read !== 'string') {
      problems.push({ field: name, message: `names a file that ${read.message}` });
      return undefined;
    }
    const text = given(read);
    if (text === undefined) problems.push({ field: name, message: 'names an empty file' });
    return text;
  } catch {
    problems.push({ field: name, message: 'names a file that cannot be read' });
    return undefined;
  }
}
