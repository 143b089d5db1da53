import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { FieldProblem } from '../../errors/field-problem.js';

/** How entries of a list are recognised that come without their unique name. */
export interface Recognition<Sent, Known> {
  /** What the list is called in a problem: `groups`. */
  readonly list: string;
  /** What people read, as it was sent and as it is known: entries that share it are the same. */
  readonly labelOf: { readonly sent: (entry: Sent) => string; readonly known: (entry: Known) => string };
}

/**
 * Gives the entries of a list the unique names that REDCap knows them by, so that sending the same list twice makes
 * nothing twice. An entry that REDCap does not know by its label stays without a name, and is made.
 *
 * @throws {InvalidRequestError} a label without a unique name belongs to several known entries, or is sent twice
 */
export function withKnownNames<
  Sent extends { readonly uniqueName?: string | undefined },
  Known extends { readonly uniqueName: string },
>(sent: readonly Sent[], known: readonly Known[], { list, labelOf }: Recognition<Sent, Known>): Sent[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  const named = sent.map((entry, index) => {
    if (entry.uniqueName !== undefined && entry.uniqueName !== '') return entry;
    const label = labelOf.sent(entry);
    const matches = known.filter((candidate) => labelOf.known(candidate) === label);
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
