import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import type * as z from 'zod';
import { decodeText } from './decode-text.js';
import type { FieldProblem } from '../errors/field-problem.js';
import { ConfigurationError } from '../errors/operator-errors.js';

/** A mistake at a place of a file, which is the path of names and positions that lead to it. */
export interface YamlIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Reads a YAML file of an operator.
 *
 * @param source the text of the file, or its bytes, which must be UTF-8
 * @param schema what the file must have; the objects in it are those of `strictObject`
 * @param contradictions finds what the schema cannot see, such as a name that stands nowhere else in the file
 * @throws {ConfigurationError} names each mistake with its line, its place and the rule, never a value
 */
export function readYaml<Content>(
  source: string | Uint8Array,
  schema: z.ZodType<Content>,
  contradictions: (content: Content) => readonly YamlIssue[] = () => [],
): Content {
  const text = typeof source === 'string' ? source : decodeText(source);
  if (typeof text !== 'string') throw new ConfigurationError([{ field: 'the file', ...text }]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const syntax = document.errors.map(({ pos, code }) => ({
    field: `line ${lines.linePos(pos[0]).line}`,
    message: code === 'DUPLICATE_KEY' ? 'has a name that was used before' : 'is not YAML that can be read',
  }));
  if (syntax.length > 0) throw new ConfigurationError(syntax);
  const { data, error } = schema.safeParse(plainOf(document));
  const issues = [...issuesIn(error?.issues ?? []), ...(data === undefined ? [] : contradictions(data))];
  if (issues.length > 0 || data === undefined)
    throw new ConfigurationError(
      issues.map(({ path, message }) => problemAt(document, lines, path, message)),
    );
  return data;
}

/** An alias that repeats itself would be larger than the file. */
function plainOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw new ConfigurationError([{ field: 'the file', message: 'must not have aliases' }], { cause });
  }
}

/** One issue for each property that does not exist; of a choice of several forms, those of the form that was meant. */
function issuesIn(issues: readonly z.core.$ZodIssue[], before: readonly PropertyKey[] = []): YamlIssue[] {
  return issues.flatMap((issue): YamlIssue[] => {
    const path = [...before, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const messages = issue.message.split('\n');
      return issue.keys.map((key, index) => ({ path: [...path, key], message: messages[index] ?? '' }));
    }
    if (issue.code === 'invalid_key') return issuesOf(issue.issues, path);
    if (issue.code !== 'invalid_union') return [{ path, message: issue.message }];
    const meant = issue.errors.find((inner) => inner.some((each) => each.path.length > 1));
    return meant === undefined ? [{ path, message: issue.message }] : issuesIn(meant, path);
  });
}

const issuesOf = (issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[]): YamlIssue[] =>
  issues.map(({ message }) => ({ path, message }));

function problemAt(
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
  message: string,
): FieldProblem {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  const at = offsetOf(document, path);
  const line = at === undefined ? '' : `line ${lines.linePos(at).line}`;
  const parts = [line, place.replace(/^\./, '')].filter((part) => part !== '');
  return { field: parts.join(', ') || 'the file', message };
}

/** Returns where a property is named, or what would have it begins. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const step = path[depth - 1];
    if (isMap(parent)) {
      const key = parent.items.map((pair) => pair.key).find((each) => isScalar(each) && each.value === step);
      if (isScalar(key) && key.range) return key.range[0];
    } else {
      const node = document.getIn(path.slice(0, depth), true);
      if (isMap(node) || isScalar(node)) return node.range?.[0];
    }
  }
  return document.contents?.range?.[0];
}
