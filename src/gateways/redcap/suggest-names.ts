import { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { isUnknownName, ofName } from '../../domain/identifiers/nearest-name.js';
import type { CallOptions, CrfClient, FieldSource, RecordSelection } from './crf-client.js';

/** A client that can list the names of a project. */
export interface NameSource extends FieldSource {
  readonly events: Pick<CrfClient['events'], 'list'>;
}

type Kind = 'fields' | 'forms' | 'events';

/**
 * Adds suggestions to a refusal of unknown names: for each, the existing name that was probably meant.
 *
 * @param error the error of the failed export
 * @returns the same error if it is of another kind; without suggestions if the project's names cannot be read
 */
export async function withSuggestions(
  error: unknown,
  selection: RecordSelection,
  source: NameSource,
  call: CallOptions,
): Promise<unknown> {
  if (!(error instanceof InvalidRequestError)) return error;
  const places = error.errors.map((problem) => (isUnknownName(problem) ? placeOf(problem.field) : undefined));
  if (places.every((place) => place === undefined)) return error;

  const candidates = new Map<Kind, readonly string[]>();
  const errors: FieldProblem[] = [];
  for (const [index, problem] of error.errors.entries()) {
    const place = places[index];
    const name = place && selection[place.kind]?.[place.index];
    if (place === undefined || name === undefined || index >= MAX_SUGGESTIONS) {
      errors.push(problem);
      continue;
    }
    if (!candidates.has(place.kind)) candidates.set(place.kind, await namesOf(place.kind, source, call));
    errors.push(ofName(problem, name, candidates.get(place.kind)));
  }
  return new InvalidRequestError(errors, { cause: error });
}

function placeOf(field: string): { readonly kind: Kind; readonly index: number } | undefined {
  const [, kind, index] = /^(fields|forms|events)(?:\[(\d+)\])?$/.exec(field) ?? [];
  return kind === undefined ? undefined : { kind: kind as Kind, index: Number(index ?? 0) };
}

/** Returns no names if REDCap does not provide them; the refusal is then reported without suggestions. */
async function namesOf(kind: Kind, source: NameSource, call: CallOptions): Promise<readonly string[]> {
  try {
    if (kind === 'events') return (await source.events.list(call)).map(({ uniqueName }) => uniqueName);
    const dictionary = DataDictionary.of(await source.fields.list(call));
    if (kind === 'forms') return dictionary.instruments;
    return [
      ...dictionary.fields.map(({ name }) => name),
      ...dictionary.instruments.map((name) => `${name}_complete`),
    ];
  } catch {
    return [];
  }
}

/** Limited because each name is compared with the whole dictionary. */
const MAX_SUGGESTIONS = 10;
