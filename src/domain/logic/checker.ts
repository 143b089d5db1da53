import { say, type Sentence } from '../errors/sentences.js';
import { checkComparison } from './comparison-checks.js';
import { unknownDates } from './date-functions.js';
import { FUNCTIONS } from './function-table.js';
import type { LogicProblem } from './logic-problem.js';
import { SuggestionBudget, type FindingList, type LogicProject } from './logic-project.js';
import { parseLogic } from './parser.js';
import { checkReference } from './reference-checks.js';
import { KNOWN_SMART_VARIABLES } from './references.js';
import { nodesOf, type LogicNode } from './syntax.js';

/** The findings in a logic text. */
export interface LogicFindings {
  /** Undefined if the text could not be parsed. */
  readonly tree?: LogicNode | undefined;
  /** Certain errors. */
  readonly errors: readonly LogicProblem[];
  /** What could not be checked, or is likely a mistake. REDCap decides on these. */
  readonly notes: readonly LogicProblem[];
}

/**
 * Checks logic against a project. Errors are an unclosed bracket or quote, an unknown field, event or choice, and a
 * comparison that can never be true. Anything this grammar does not know is a note, never an error.
 */
export function checkLogic(source: string, project: LogicProject): LogicFindings {
  const parsed = parseLogic(source);
  if ('problem' in parsed) {
    const { problem, isBroken } = parsed;
    return isBroken ? { errors: [problem], notes: [] } : { errors: [], notes: [problem] };
  }
  return { tree: parsed.tree, ...checkTree(parsed.tree, project) };
}

/** Checks parsed logic. */
export function checkTree(tree: LogicNode, project: LogicProject): Omit<LogicFindings, 'tree'> {
  const { suggestions = new SuggestionBudget() } = project;
  const found: FindingList = { errors: [], notes: [], suggestions };
  for (const node of nodesOf(tree)) checkNode(node, project, found);
  const inOrder = (a: LogicProblem, b: LogicProblem): number => a.at - b.at;
  return { errors: found.errors.sort(inOrder), notes: found.notes.sort(inOrder) };
}

function checkNode(node: LogicNode, project: LogicProject, found: FindingList): void {
  switch (node.kind) {
    case 'reference':
      return checkReference(node, project, found);
    case 'chain':
      return checkComparison(node, project, found);
    case 'smart':
      if (KNOWN_SMART_VARIABLES.has(node.name)) return;
      found.notes.push({ at: node.start + 1, ...say('logic_name', { name: node.name }) });
      return;
    case 'call': {
      const { name, start } = node;
      for (const date of unknownDates(node))
        found.notes.push({ at: date.start + 1, ...say('logic_date_order') });
      const sentence = problemOfCall(name, node.arguments.length);
      if (sentence !== undefined) found.notes.push({ at: start + 1, ...sentence });
      return;
    }
    default:
  }
}

function problemOfCall(name: string, given: number): Sentence | undefined {
  const [least, most] = FUNCTIONS.get(name)?.arity ?? [];
  if (least === undefined || most === undefined) return say('logic_function', { name });
  if (given >= least && given <= most) return undefined;
  return say('logic_arguments', { name, least, most: most === Infinity ? null : most });
}
