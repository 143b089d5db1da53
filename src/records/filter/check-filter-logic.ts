import { say } from '../../domain/errors/sentences.js';
import { parseChoices } from '../../domain/dictionary/choices.js';
import { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import type { CallOptions, CrfClient, FieldSource, InfoSource } from '../../gateways/redcap/crf-client.js';
import { isRefusal } from '../../gateways/redcap/call-errors.js';
import { checkTree, type LogicFindings, type LogicProject } from '../../domain/logic/checker.js';
import { describeProblem, type LogicNote, type LogicProblem } from '../../domain/logic/logic-problem.js';
import { parseLogic } from '../../domain/logic/parser.js';
import { EVENT_VARIABLES } from '../../domain/logic/references.js';
import { nodesOf, type LogicNode } from '../../domain/logic/syntax.js';

/** Provides the names in a project. */
export interface LogicSource extends FieldSource, InfoSource {
  readonly events: Pick<CrfClient['events'], 'list'>;
}

/**
 * Checks filter logic before it is sent. It requests only what the logic needs from REDCap: nothing for logic without
 * names, and events and missing data codes only if the result depends on them.
 *
 * @returns parts that could not be checked or are probably mistakes; REDCap decides about them
 * @throws {InvalidRequestError} the logic is certainly wrong; each entry states the position
 * @throws {CrfError} REDCap cannot be reached; if it refuses to describe the project, a note is returned instead
 */
export async function checkFilterLogic(
  logic: string,
  source: LogicSource,
  call: CallOptions = {},
): Promise<readonly LogicNote[]> {
  const parsed = parseLogic(logic);
  if ('problem' in parsed) {
    if (parsed.isBroken) throw refusal([parsed.problem]);
    return [parsed.problem];
  }

  const findings = await findingsFor(parsed.tree, source, call);
  if (findings.errors.length > 0) throw refusal(findings.errors);
  return findings.notes;
}

/** @returns the notes as the value of a header: printable ASCII of limited length */
export function toNoteHeader(notes: readonly LogicNote[]): string | undefined {
  if (notes.length === 0) return undefined;
  const text = notes
    .map(describeProblem)
    .join('; ')
    .replace(/[^ -~]/g, '?');
  return text.length > MAX_HEADER ? `${text.slice(0, MAX_HEADER - 3)}...` : text;
}

const MAX_HEADER = 1000;

async function findingsFor(
  tree: LogicNode,
  source: LogicSource,
  call: CallOptions,
): Promise<Omit<LogicFindings, 'tree'>> {
  const references = [...nodesOf(tree)].filter((node) => node.kind === 'reference');
  if (references.length === 0) return checkTree(tree, { dictionary: new DataDictionary([]) });
  const fields = await unlessRefused(source.fields.list(call));
  if (fields === undefined) return { errors: [], notes: [{ at: 1, ...say('logic_no_dictionary') }] };

  const needsEvents = references.some(({ event }) => event !== undefined && !EVENT_VARIABLES.has(event));
  const events = needsEvents ? await unlessRefused(source.events.list(call)) : [];
  const project: LogicProject = {
    dictionary: DataDictionary.of(fields),
    events: events?.map(({ uniqueName }) => uniqueName),
    missingDataCodes: [],
  };
  const findings = checkTree(tree, project);
  if (findings.errors.length === 0) return findings;
  // A value that looks wrong may be a missing data code.
  const info = await unlessRefused(source.project.getInfo(call));
  const missingDataCodes = info && parseChoices(info.missingDataCodes).map(({ code }) => code);
  return checkTree(tree, { ...project, missingDataCodes });
}

/** @returns undefined if REDCap gives no answer to use, because logic that cannot be checked must not be refused */
async function unlessRefused<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isRefusal(error) || error instanceof UpstreamInvalidError) return undefined;
    throw error;
  }
}

function refusal(errors: readonly LogicProblem[]): InvalidRequestError {
  return new InvalidRequestError(
    errors.map((error) => ({ field: 'filterLogic', message: `is not valid ${describeProblem(error)}` })),
  );
}
