import * as z from 'zod';
import { BLANK_FIELD, type Field } from '../../domain/dictionary/field.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';

const Part = {
  /** Below the folder. */
  path: z.string().regex(/^\w[\w.-]*$/),
  bytes: z.int().min(0),
  /** In hexadecimal digits. */
  sha256: z.string(),
};

/** What a backup is made of, and how it can be checked. */
export const Manifest = z.object({
  format: z.literal(1),
  /** When the backup was complete, as ISO 8601 in UTC. */
  at: z.string(),
  /** The version of REDCap. */
  redcap: z.string(),
  project: z.object({ id: z.number(), title: z.string() }),
  /** Every file but the documents, which `files.ndjson` and `repository.ndjson` list. */
  parts: z.array(z.object(Part)),
  /** What of the project the backup does not have, and why. */
  leftOut: z.array(z.object({ what: z.string(), why: z.string() })),
});

/** A record's file, with its place, or a file of the repository, with its folder. */
export const StoredDocument = z.object({
  ...Part,
  path: z.string().regex(/^(?:files|repository)\/\d+$/),
  id: z.int().min(1),
  name: z.string(),
  contentType: z.string(),
  /** As REDCap names it. */
  place: z
    .object({
      record: z.string(),
      field: z.string(),
      event: z.string().optional(),
      instance: z.number().optional(),
    })
    .optional(),
  /** The names of the folders down to the file. */
  folders: z.array(z.string()).optional(),
});

export const StoredFolders = z.array(
  z.object({
    folders: z.array(z.string()),
    /** The unique names of the only role and the only group that see it; blank for all. */
    role: z.string(),
    dag: z.string(),
  }),
);

/** What is read of the project's information; all of it is compared. */
export const StoredInfo = z.looseObject({ missingDataCodes: z.string() });

export const StoredRow = z.record(z.string(), z.union([z.string(), z.number()]));
export const StoredList = z.array(z.record(z.string(), z.unknown()));

/** Every property of a field has the type that it has in a blank one. */
export const StoredDictionary = z.array(
  z.object(
    Object.fromEntries(
      Object.entries(BLANK_FIELD).map(([name, blank]) => [
        name,
        typeof blank === 'string' ? z.string() : z.boolean(),
      ]),
    ),
  ),
) as unknown as z.ZodType<Field[]>;

/**
 * Parses JSON of a backup.
 *
 * @param place the file, and the line if it has several, for the message
 * @throws {InvalidRequestError} naming the place and the property, never a value
 */
export function parseStored<Value>(text: string, schema: z.ZodType<Value>, place: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const message = 'is not JSON, as crf backup writes it';
    throw new InvalidRequestError([{ field: place, message }], { cause });
  }
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) return data;
  const path = error?.issues[0]?.path.join('.') ?? '';
  const message = `is not as crf backup writes it${path === '' ? '' : `: ${path}`}`;
  throw new InvalidRequestError([{ field: place, message }]);
}
