import { isFieldName } from '../../domain/identifiers/names.js';
import { parseLogic } from '../../domain/logic/parser.js';
import { nodesOf } from '../../domain/logic/syntax.js';

const BRACKETS = /\[([^[\]]*)\]/g;
/** The name in a bracket, also in forms that the parser does not know: `[age:value]`. */
const NAME_IN_BRACKET = /^\s*([a-z]\w{0,99})\s*(?:[(:]|$)/i;

/** Comments, which begin their line, and quoted text, which is a value and not a name. */
const NOT_NAMES = /(?<![^\n])[ \t]*(?:\/\/|#)[^\n\r]*|'[^']*'|"[^"]*"/g;
/** The same for a server that reads `\'` as a quote inside a text. @see docs/protocol/redcap.md 7.3 */
const NOT_NAMES_ESCAPED =
  /(?<![^\n])[ \t]*(?:\/\/|#)[^\n\r]*|'(?:[^'\\]|\\.)*(?:'|\\?$)|"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

/**
 * Returns the names of the fields and events in filter logic, in order of appearance, without values. Names are
 * case-insensitive in the language; they are returned in lower case, as REDCap stores them. Of logic that can be read in
 * two ways, the names of both are returned. Takes linear time, for anything may be sent.
 */
export function filterFieldsOf(filterLogic: string): string[] {
  const names = parsedNames(filterLogic) ?? foundNames(filterLogic);
  return [...new Set(names.map((name) => name.toLowerCase()))].filter(isFieldName);
}

/** Returns undefined for logic that the parser does not know, or that a server may read differently. */
function parsedNames(filterLogic: string): string[] | undefined {
  if (filterLogic.includes('\\')) return undefined;
  const parsed = parseLogic(filterLogic);
  if (!('tree' in parsed)) return undefined;
  return [...nodesOf(parsed.tree)].flatMap((node) =>
    node.kind === 'reference' ? [...(node.event === undefined ? [] : [node.event]), node.field] : [],
  );
}

function foundNames(filterLogic: string): string[] {
  return [NOT_NAMES, NOT_NAMES_ESCAPED].flatMap((hidden) =>
    [...filterLogic.replace(hidden, "''").matchAll(BRACKETS)].flatMap(([, inner = '']) => {
      const [, name] = NAME_IN_BRACKET.exec(inner) ?? [];
      return name === undefined ? [] : [name];
    }),
  );
}
