import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import * as z from 'zod';
import { strictObject } from '../errors/check-arguments.js';
import type { FieldProblem } from '../errors/field-problem.js';
import { nearestName } from '../errors/nearest-name.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import { EVENT_NAME_RULE, isEventName } from '../identifiers/event-name.js';
import { FIELD_NAME_RULE, isFieldName } from '../identifiers/field-name.js';
import { INSTRUMENT_NAME_RULE, isInstrumentName } from '../identifiers/instrument-name.js';

const NAME_RULE = 'must begin with a letter and have only letters, digits, - and _, 64 at most';
const policyName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, NAME_RULE);
const field = z
  .string('must be the name of a field')
  .refine((name): boolean => isFieldName(name), FIELD_NAME_RULE);
const event = z
  .string('must be the name of an event')
  .refine((name): boolean => isEventName(name), EVENT_NAME_RULE);
const fields = z.array(field, 'must be a list of fields').min(1, 'must not be empty');
const group = z
  .string('must be the unique name of a group')
  .regex(/^\w{1,100}$/, 'must be a unique group name');
const form = z
  .string()
  .refine((name): boolean => name === '*' || isInstrumentName(name), INSTRUMENT_NAME_RULE);
const access = z.enum(['read', 'write', 'none'], 'must be read, write or none');

const Own = strictObject(
  {
    field,
    event: event.optional(),
    equals: z.literal('$session.email', 'must be $session.email'),
    many: z.literal('refuse', 'must be refuse').default('refuse'),
  },
  'a property',
);

/** What one policy grants; what it does not name is hidden. */
const PolicyRules = strictObject(
  {
    records: z.union(
      [
        z.enum(['all', 'none']),
        strictObject({ group: z.union([z.literal('$caller.group'), group]) }, 'a property'),
        strictObject({ own: Own }, 'a property'),
      ],
      'must be all, none, { group: … } or { own: { field, event, equals: $session.email } }',
    ),
    events: z.array(event, 'must be a list of events').min(1, 'must not be empty').optional(),
    forms: z.record(form, access, 'must name forms, each with read, write or none'),
    fields: strictObject({ hide: fields.optional(), read: fields.optional() }, 'a property').optional(),
    create: z
      .union(
        [
          z.literal(false),
          z.literal('auto'),
          strictObject({ prefix: z.string().regex(/^[A-Za-z0-9_-]{1,30}$/) }, 'a property'),
        ],
        'must be false, auto or { prefix: … } with 1 to 30 letters, digits, - and _',
      )
      .default(false),
    files: z.enum(['none', 'read'], 'must be none or read').default('none'),
    logs: z.enum(['none', 'read'], 'must be none or read').default('none'),
  },
  'a property of a policy',
);

const keyName = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be the name of an API key');
/** One `*` at most, so that a pattern is matched by its beginning and its end. */
const address = z
  .string()
  .regex(
    /^[^*\sA-Z]*\*?[^*\sA-Z]*$/,
    'must be an address in lower case, in which one * may stand for anything',
  )
  .min(1, 'must not be empty');

/** Who has which policy. The first that fits a caller counts. */
const BindingRules = strictObject(
  {
    key: keyName.optional(),
    session: address.optional(),
    policy: policyName,
    group: z.union([z.literal('$user.group'), group]).optional(),
  },
  'a property of a binding',
).refine(({ key, session }) => (key === undefined) !== (session === undefined), {
  error: 'must have either key or session',
});

const PolicyFile = strictObject(
  {
    version: z.literal(1, 'must be 1'),
    policies: z.record(policyName, PolicyRules, 'must name policies'),
    bindings: z.array(BindingRules, 'must be a list of bindings'),
  },
  'a property',
);

/** What one policy of a file grants. */
export type Policy = z.output<typeof PolicyRules>;
/** Which callers have a policy. */
export type Binding = z.output<typeof BindingRules>;
/** The policies of a service, and who has which. */
export type PolicySet = z.output<typeof PolicyFile>;

/**
 * Reads a policy file: YAML with known properties only, in which every binding names a policy of the file.
 *
 * @throws {ConfigurationError} names each mistake with its line, its place and the rule, never a value
 */
export function readPolicyFile(text: string): PolicySet {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const syntax = document.errors.map(({ pos, code }) => ({
    field: `line ${lines.linePos(pos[0]).line}`,
    message: code === 'DUPLICATE_KEY' ? 'has a name that was used before' : 'is not YAML that can be read',
  }));
  if (syntax.length > 0) throw new ConfigurationError(syntax);
  const { data, error } = PolicyFile.safeParse(plainOf(document));
  const problems = [
    ...issuesIn(error?.issues ?? []).map(({ path, message }) => problemAt(document, lines, path, message)),
    ...(data === undefined ? [] : unknownPolicies(data, document, lines)),
  ];
  if (problems.length > 0 || data === undefined) throw new ConfigurationError(problems);
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

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** One issue for each property that does not exist; of a choice of several forms, those of the form that was meant. */
function issuesIn(issues: readonly z.core.$ZodIssue[], before: readonly PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue): Issue[] => {
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

const issuesOf = (issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[]): Issue[] =>
  issues.map(({ message }) => ({ path, message }));

function unknownPolicies(
  { policies, bindings }: PolicySet,
  document: Document,
  lines: LineCounter,
): FieldProblem[] {
  const names = Object.keys(policies);
  return bindings.flatMap(({ policy }, index) => {
    if (names.includes(policy)) return [];
    const meant = nearestName(policy, names);
    const message = `is not a policy of this file${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    return [problemAt(document, lines, ['bindings', index, 'policy'], message)];
  });
}

function problemAt(
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
  message: string,
): FieldProblem {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  const at = offsetOf(document, path);
  const line = at === undefined ? '' : `line ${lines.linePos(at).line}`;
  return { field: [line, place.replace(/^\./, '')].filter((part) => part !== '').join(', '), message };
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
