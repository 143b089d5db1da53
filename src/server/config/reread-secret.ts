import { readFile } from 'node:fs/promises';
import { decodeText } from '../../domain/bytes/decode-text.js';
import { EnvironmentSchema, type ParsedEnvironment } from './environment-schema.js';
import { given, type SecretFile } from './secret-files.js';

/** The settings that can change while the service runs, if they are read from files. */
export const ROTATING = ['API_KEYS', 'CAPTURE_API_TOKEN', 'APPWRITE_API_KEY', 'REDIS_URL'] as const;

export type RotatingName = (typeof ROTATING)[number];

/** The content of a secret's file: a valid value, or the rule that it breaks, without the value. */
export type Reread<Name extends RotatingName = RotatingName> =
  | { readonly text: string; readonly value: NonNullable<ParsedEnvironment[Name]> }
  | { readonly text: string; readonly rule: string };

/** Reads the file of a secret again, by the rules of the start. Never rejects. */
export async function rereadSecret<Name extends RotatingName>(
  name: Name,
  { path }: SecretFile,
): Promise<Reread<Name>> {
  let content: ReturnType<typeof decodeText>;
  try {
    content = decodeText(await readFile(path));
  } catch {
    return { text: '', rule: 'names a file that cannot be read' };
  }
  if (typeof content !== 'string') return { text: '', rule: `names a file that ${content.message}` };
  const text = given(content);
  if (text === undefined) return { text: '', rule: 'names an empty file' };
  const { data, error } = EnvironmentSchema.shape[name].safeParse(text);
  if (data === undefined) return { text, rule: error?.issues[0]?.message ?? 'is not valid' };
  return { text, value: data as NonNullable<ParsedEnvironment[Name]> };
}
