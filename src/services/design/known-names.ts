import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';

/** How entries without a unique name are matched. */
export interface Recognition<Entry> {
  /** The name of the list in a problem: `dags`. */
  readonly list: string;
  /** Returns the label of a sent or a known entry. Entries with equal labels are the same. */
  readonly labelOf: (entry: Entry) => string;
}

/**
 * Adds the unique names that REDCap knows to the entries of a list, so that repeating the call creates nothing twice.
 * An entry whose label REDCap does not know keeps no name and is created. So is one with a unique name that REDCap does
 * not know, which is that of another project: it is matched by its label too, and of several entries with one label the
 * first is the first.
 *
 * @throws {InvalidRequestError} a label without unique name matches several known entries, or is given twice
 */
export function withKnownNames<
  Sent extends { readonly uniqueName?: string | undefined },
  Known extends { readonly uniqueName: string },
>(sent: readonly Sent[], known: readonly Known[], { list, labelOf }: Recognition<Sent | Known>): Sent[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  const names = new Set(known.map(({ uniqueName }) => uniqueName));
  const named = new Set(sent.map(({ uniqueName = '' }) => uniqueName));
  const knownByLabel = new Map<string, Known[]>();
  for (const entry of known) {
    const label = labelOf(entry);
    const same = knownByLabel.get(label);
    if (same === undefined) knownByLabel.set(label, [entry]);
    else same.push(entry);
  }
  const result = sent.map((entry, index) => {
    const { uniqueName = '' } = entry;
    if (names.has(uniqueName)) return entry;
    const label = labelOf(entry);
    const matches = knownByLabel.get(label) ?? [];
    const isForeign = uniqueName !== '';
    if (!isForeign && (matches.length > 1 || seen.has(label)))
      problems.push({
        field: `${list}[${index}].uniqueName`,
        message: 'is needed: others have the same label',
      });
    seen.add(label);
    const match = matches.find((other) => !isForeign || !named.has(other.uniqueName));
    if (isForeign && match !== undefined) named.add(match.uniqueName);
    return match === undefined && !isForeign ? entry : { ...entry, uniqueName: match?.uniqueName };
  });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return result;
}
