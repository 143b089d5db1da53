import * as z from 'zod';
import { strictObject } from '../domain/identifiers/check-options.js';
import { nearestName } from '../domain/identifiers/nearest-name.js';
import { readYaml, type YamlIssue } from '../domain/bytes/read-yaml.js';
import {
  EVENT_NAME_RULE,
  isEventName,
  INSTRUMENT_NAME_RULE,
  isInstrumentName,
} from '../domain/identifiers/names.js';
import { parseLogic } from '../domain/logic/parser.js';
import { deidentifyProblems, field, fields, PRESETS, TransformRules } from './deidentify/transforms.js';

const NAME_RULE = 'must begin with a letter and have only letters, digits, - and _, 64 at most';
const policyName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, NAME_RULE);
const event = z
  .string('must be the name of an event')
  .refine((name): boolean => isEventName(name), EVENT_NAME_RULE);
const dag = z
  .string('must be the unique name of a data access group')
  .regex(/^\w{1,100}$/, 'must be the unique name of a data access group');
const form = z
  .string()
  .refine((name): boolean => name === '*' || isInstrumentName(name), INSTRUMENT_NAME_RULE);
const access = z.enum(['read', 'write', 'none'], 'must be read, write or none');

const reportNumber = z.int('must be the number of a report').positive('must be the number of a report');

const condition = z
  .string('must be a condition, such as "[age] >= 18"')
  .refine(
    (text) => text.trim() !== '' && !('problem' in parseLogic(text)),
    'must be a condition that can be read, such as "[age] >= 18"',
  );

const Own = strictObject(
  {
    field,
    event: z
      .union(
        [event.transform((name) => [name]), z.array(event).min(1)],
        'must be an event, or a list of events',
      )
      .optional(),
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
        strictObject({ dag: z.union([z.literal('$caller.dag'), dag]) }, 'a property'),
        strictObject({ own: Own }, 'a property'),
        strictObject({ where: condition }, 'a property'),
      ],
      'must be all, none, { dag: … }, { own: { field, event, equals: $session.email } } or { where: … }',
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
    files: access.default('none'),
    reports: z
      .array(reportNumber, 'must be a list of numbers of reports')
      .min(1, 'must not be empty')
      .optional(),
    log: z.enum(['none', 'read'], 'must be none or read').default('none'),
    deidentify: z.enum(PRESETS, `must be one of ${PRESETS.join(', ')}`).default('none'),
    transform: TransformRules.optional(),
  },
  'a property of a policy',
).superRefine((policy, context) => {
  const { records, create } = policy;
  const hasRecords = records === 'all' || (typeof records === 'object' && 'dag' in records);
  const problems = [
    ...(create === false || hasRecords
      ? []
      : [
          {
            path: ['create'],
            message: 'needs records: all or { dag: … }, or nobody could see what was created',
          },
        ]),
    ...deidentifyProblems(policy),
  ];
  for (const { path, message } of problems) context.addIssue({ code: 'custom', path: [...path], message });
});

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
    policy: policyName.optional(),
    mirror: z.literal('redcap-user', 'must be redcap-user').optional(),
    dag: z.union([z.literal('$user.dag'), dag]).optional(),
  },
  'a property of a binding',
)
  .refine(({ key, session }) => (key === undefined) !== (session === undefined), {
    error: 'must have either key or session',
  })
  .refine(({ policy, mirror }) => (policy === undefined) !== (mirror === undefined), {
    error: 'must have either policy or mirror',
  })
  .refine(
    ({ mirror, key, dag: named }) => mirror === undefined || (key === undefined && named === undefined),
    {
      error: 'with mirror must have session, and no dag: both are those of the REDCap user',
    },
  );

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
export function readPolicyFile(source: string | Uint8Array): PolicySet {
  return readYaml(source, PolicyFile, unknownPolicies);
}

function unknownPolicies({ policies, bindings }: PolicySet): YamlIssue[] {
  const names = Object.keys(policies);
  return bindings.flatMap(({ policy }, index) => {
    if (policy === undefined || names.includes(policy)) return [];
    const meant = nearestName(policy, names);
    const message = `is not a policy of this file${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    return [{ path: ['bindings', index, 'policy'], message }];
  });
}
