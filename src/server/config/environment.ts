import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { decodeText } from '../../domain/bytes/decode-text.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { SETTINGS } from './all-settings.js';
import type { Setting } from './setting.js';

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
  for (const [name, { isSecret }] of Object.entries(SETTINGS)) {
    const field = `${name}_FILE`;
    const path = isSecret ? given(environment[field]) : undefined;
    values[name] = given(environment[name]);
    if (path === undefined) continue;
    if (values[name] !== undefined) {
      problems.push({ field, message: `must not be set together with ${name}` });
      continue;
    }
    const { text, rule } = contentOf(() => readFileSync(path));
    if (rule === undefined) files.push({ name, path, digest: hash('sha256', text) });
    else problems.push({ field, message: rule });
    values[name] = rule === undefined ? text : undefined;
  }
  return values;
}

/** Returns a text without blanks at its ends, or undefined if nothing is left. */
export function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/** Why the content of a secret's file cannot be used. */
interface Unusable {
  readonly text: string;
  readonly rule: string;
}

/** Returns the content of a secret's file, without the line break that editors and secret stores add. */
function contentOf(read: () => Uint8Array): { readonly text: string; readonly rule?: undefined } | Unusable {
  let content: ReturnType<typeof decodeText>;
  try {
    content = decodeText(read());
  } catch {
    return { text: '', rule: 'names a file that cannot be read' };
  }
  if (typeof content !== 'string') return { text: '', rule: `names a file that ${content.message}` };
  const text = given(content);
  return text === undefined ? { text: '', rule: 'names an empty file' } : { text };
}

/** The settings that can change while the service runs, if they are read from files. */
export const ROTATING = ['API_KEYS', 'CAPTURE_API_TOKEN', 'APPWRITE_API_KEY', 'REDIS_URL'] as const;

export type RotatingName = (typeof ROTATING)[number];
export type RotatingValue<Name extends RotatingName> =
  (typeof SETTINGS)[Name] extends Setting<string, infer Value> ? NonNullable<Value> : never;

/** Reads the file of a secret again, by the rules of the start. @returns a value, or the rule that is broken. Never rejects. */
export async function rereadSecret<Name extends RotatingName>(
  name: Name,
  { path }: SecretFile,
): Promise<{ readonly text: string; readonly value: RotatingValue<Name> } | Unusable> {
  const bytes = await readFile(path).catch((error: unknown) => error);
  const content = contentOf(() => {
    if (bytes instanceof Uint8Array) return bytes;
    throw bytes;
  });
  if (content.rule !== undefined) return content;
  const { data, error } = SETTINGS[name].type.safeParse(content.text);
  if (error !== undefined) return { text: content.text, rule: error.issues[0]?.message ?? 'is not valid' };
  return { text: content.text, value: data as RotatingValue<Name> };
}

/** Whether the process runs in production, for code that needs no other setting. */
export function isProduction(environment: Environment = process.env): boolean {
  return environment.NODE_ENV?.trim() === 'production';
}

/** Returns the port of a service with this environment, for code that needs no other setting. */
export function statedPort({ PORT = '3000' }: Environment = process.env): string {
  return PORT.trim();
}

/** Whether a stream can show animations: a capable terminal, and no request for plain text (CLI-01). */
export function isAnimated(
  { isTTY }: { readonly isTTY?: boolean },
  environment: Environment = process.env,
): boolean {
  return isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
}
