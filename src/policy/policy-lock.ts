import { parseDocument, stringify } from 'yaml';
import * as z from 'zod';
import type { ProjectStructure } from '../dictionary/project-structure.js';
import { strictObject } from '../errors/check-arguments.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import type { Policy, PolicySet } from './policy-file.js';

const Lock = strictObject(
  {
    version: z.literal(1),
    policies: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  },
  'a property',
);

/** The fields that each policy had, by instrument, when somebody accepted them. */
export type PolicyLock = z.output<typeof Lock>;

const BEGINNING = `# Written by crf policy accept: the fields that each policy shows. A field that the data dictionary gets later, also on a
# form that a policy names, stays hidden until somebody accepts it.
`;

/** @throws {ConfigurationError} it was changed by hand to something else */
export function readPolicyLock(text: string): PolicyLock {
  const document = parseDocument(text, { prettyErrors: false });
  const { data } = Lock.safeParse(
    document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 }),
  );
  if (data !== undefined) return data;
  throw new ConfigurationError([
    { field: 'policy.lock', message: 'is not a file that crf policy accept has written: write it again' },
  ]);
}

export function writePolicyLock(lock: PolicyLock): string {
  return BEGINNING + stringify(lock, { lineWidth: 0 });
}

/** Returns the lock that accepts every field that policies grant in the project as it is. */
export function acceptAll(
  { policies }: Pick<PolicySet, 'policies'>,
  { dictionary }: ProjectStructure,
): PolicyLock {
  const granted = Object.entries(policies).map(([name, policy]) => {
    const forms = dictionary.instruments.filter((form) => accessTo(policy, form) !== undefined);
    const fieldsOf = (form: string): string[] =>
      dictionary.fields
        .filter((field) => field.instrument === form && !policy.fields?.hide?.includes(field.name))
        .map((field) => field.name);
    return [name, Object.fromEntries(forms.map((form) => [form, fieldsOf(form)]))] as const;
  });
  return { version: 1, policies: Object.fromEntries(granted) };
}

/** Returns what a policy grants on an instrument, by its name or by `"*"`. */
export function accessTo({ forms }: Policy, form: string): 'read' | 'write' | undefined {
  const access = Object.hasOwn(forms, form) ? forms[form] : forms['*'];
  return access === 'none' ? undefined : access;
}
