import { readFileSync } from 'node:fs';
import type { FieldProblem } from '../errors/field-problem.js';
import { ENVIRONMENT_VARIABLES } from './environment-table.js';

/** The environment as it was given. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Puts the content of `<NAME>_FILE` in the place of each secret, and drops what is empty: an unset variable and an empty
 * one mean the same.
 *
 * @param problems is given what is wrong, by name
 */
export function withSecretFiles(environment: Environment, problems: FieldProblem[]): Environment {
  const values: Record<string, string | undefined> = {};
  for (const { name, isSecret } of ENVIRONMENT_VARIABLES) {
    values[name] = given(environment[name]);
    const file = isSecret ? given(environment[`${name}_FILE`]) : undefined;
    if (file === undefined) continue;
    if (values[name] === undefined) values[name] = read(`${name}_FILE`, file, problems);
    else problems.push({ field: `${name}_FILE`, message: `must not be set together with ${name}` });
  }
  return values;
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/** Editors and secret stores end a file with a line break: it is not part of the secret. */
function read(name: string, file: string, problems: FieldProblem[]): string | undefined {
  try {
    const text = given(readFileSync(file, 'utf8'));
    if (text === undefined) problems.push({ field: name, message: 'names an empty file' });
    return text;
  } catch {
    problems.push({ field: name, message: 'names a file that cannot be read' });
    return undefined;
  }
}
