import { DataDictionary } from '../../dictionary/data-dictionary.js';
import { nearestName } from '../../dictionary/nearest-name.js';
import { sentenceOf, type FieldProblem } from '../../errors/field-problem.js';

import { UpstreamRejectedError } from '../../errors/upstream-errors.js';
import type { CallOptions, CrfClient, RecordSelection } from './crf-client.js';

/** Where the names of a project are asked for. */
export interface NameSource extends Pick<CrfClient, 'getMetadata'> {
  readonly events: Pick<CrfClient['events'], 'export'>;
}

type Kind = 'fields' | 'forms' | 'events';

/**
 * The refusal of names that the project has not, with each name and the one that was most likely meant. A name of a field,
 * an instrument or an event has a form that no record value needs to be kept secret for; it was checked before it was sent.
 *
 * @param error what an export failed with
 * @returns the same error when it is another one, or the project cannot be asked
 */
export async function withSuggestions(
  error: unknown,
  selection: RecordSelection,
  source: NameSource,
  call: CallOptions,
): Promise<unknown> {
  if (!(error instanceof UpstreamRejectedError)) return error;
  const places = error.errors.map(({ field }) => placeOf(field));
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
    const meant = nearestName(name, candidates.get(place.kind) ?? []);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    errors.push({ ...problem, message: problem.message + hint });
  }
  const [first] = places;
  const name = first && selection[first.kind]?.[first.index];
  return new UpstreamRejectedError(sentenceOf(errors, 'A parameter is not valid.', name), {
    errors,
    cause: error,
  });
}

function placeOf(field: string): { readonly kind: Kind; readonly index: number } | undefined {
  const [, kind, index] = /^(fields|forms|events)\[(\d+)\]$/.exec(field) ?? [];
  return kind === undefined ? undefined : { kind: kind as Kind, index: Number(index) };
}

/** Nothing where REDCap does not tell: the refusal stands without it. */
async function namesOf(kind: Kind, source: NameSource, call: CallOptions): Promise<readonly string[]> {
  try {
    if (kind === 'events') return (await source.events.export(call)).map(({ uniqueName }) => uniqueName);
    const dictionary = new DataDictionary(await source.getMetadata(call));
    if (kind === 'forms') return dictionary.instruments;
    return [
      ...dictionary.fields.map(({ name }) => name),
      ...dictionary.instruments.map((name) => `${name}_complete`),
    ];
  } catch {
    return [];
  }
}

/** Each name is looked for in the whole dictionary. */
const MAX_SUGGESTIONS = 10;
