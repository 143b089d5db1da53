import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { FieldProblem } from '../../errors/field-problem.js';

/** How entries without a unique name are matched. */
export interface Recognition<Entry> {
  /** The name of the list in a problem: `dags`. */
  readonly list: string;
  /** Returns the label of a sent or a known entry. Entries with equal labels are the same. */
  readonly labelOf: (entry: Entry) => string;
}

/**
 * Adds the unique names that REDCap knows to the entries of a list, so that repeating the call creates nothing twice.
 * An entry whose label REDCap does not know keeps no name and is created.
 *
 * @throws {InvalidRequestError} a label without unique name matches several known entries, or is given twice
 */
export function withKnownNames<
  Sent extends { readonly uniqueName?: string | undefined },
  Known extends { readonly uniqueName: string },
>(sent: readonly Sent[], known: readonly Known[], { list, labelOf }: Recognition<Sent | Known>): Sent[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  const knownByLabel = new Map<string, Known[]>();
  for (const entry of known) {
    const label = labelOf(entry);
    const same = knownByLabel.get(label);
    if (same === undefined) knownByLabel.set(label, [entry]);
    else same.push(entry);
  }
  const named = sent.map((entry, index) => {
    if (entry.uniqueName !== undefined && entry.uniqueName !== '') return entry;
    const label = labelOf(entry);
    const matches = knownByLabel.get(label) ?? [];
    if (matches.length > 1 || seen.has(label))
      problems.push({
        field: `${list}[${index}].uniqueName`,
        message: 'is needed: others have the same label',
      });
    seen.add(label);
    const [match] = matches;
    return match === undefined ? entry : { ...entry, uniqueName: match.uniqueName };
  });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return named;
}
