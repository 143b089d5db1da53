import { parseDocument, stringify } from 'yaml';
import * as z from 'zod';
import type { Field } from '../domain/dictionary/field.js';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { strictObject } from '../domain/identifiers/check-options.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import { isShown, verdictsOf } from './deidentify/field-verdicts.js';
import type { Policy, PolicySet } from './policy-file.js';

const Lock = strictObject(
  {
    version: z.literal(1),
    file: z.string().optional(),
    project: z.int().optional(),
    policies: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
    identifying: z.record(z.string(), z.array(z.string())).optional(),
  },
  'a property',
);

/**
 * The fields that each policy had, by instrument, when somebody accepted them; and those among them that a de-identified
 * policy shows although they may identify somebody. It is for one policy file, by its name without its folder, and for one
 * project, by its number in REDCap: elsewhere nobody has accepted anything.
 */
export type PolicyLock = z.output<typeof Lock>;

const BEGINNING = `# Written by crf policy accept: the fields that each policy shows. A field that the data dictionary gets later, also on a
# form that a policy names, stays hidden until somebody accepts it.
`;

/**
 * @param name how errors name the lock
 * @throws {ConfigurationError} it was changed by hand to something else
 */
export function readPolicyLock(text: string, name = 'policy.lock'): PolicyLock {
  const document = parseDocument(text, { prettyErrors: false });
  const { data } = Lock.safeParse(
    document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 }),
  );
  if (data !== undefined) return data;
  throw new ConfigurationError([
    { field: name, message: 'is not a file that crf policy accept has written: write it again' },
  ]);
}

export function writePolicyLock(lock: PolicyLock): string {
  return BEGINNING + stringify(lock, { lineWidth: 0 });
}

/**
 * Returns why a lock is not that of a policy file, as the end of a sentence. One that names no file, as they were written
 * before, is that of `policy.yaml`.
 *
 * @param file the name of the policy file, without its folder
 */
export function otherFile({ file: own }: PolicyLock, file: string): string | undefined {
  if (own === file || (own === undefined && /^policy\.ya?ml$/.test(file))) return undefined;
  const is =
    own === undefined ? 'does not say which policy file it is for' : `is for ${own}, not for ${file}`;
  return `${is}: crf policy accept ${file} shows what would become visible, and writes it`;
}

/** Returns why a lock is not that of a project, as the end of a sentence. */
export function otherProject({ project }: PolicyLock, { projectId }: ProjectStructure): string | undefined {
  if (project === undefined || projectId === undefined || project === projectId) return undefined;
  return `is for project ${project} of REDCap, not for project ${projectId}: every project has its own policy file, and crf policy accept shows what would become visible here, and writes the lock`;
}

/**
 * Returns the lock of a policy file that accepts every field its policies grant in the project as it is.
 *
 * @param file the name of the policy file, without its folder; a lock that is not written needs none
 * @param identifying the fields to accept, by policy, although they may identify somebody
 */
export function acceptAll(
  { policies }: Pick<PolicySet, 'policies'>,
  { dictionary, projectId }: ProjectStructure,
  identifying: NonNullable<PolicyLock['identifying']> = {},
  file?: string,
): PolicyLock {
  const lock: PolicyLock = {
    version: 1,
    ...(file !== undefined && { file }),
    ...(projectId !== undefined && { project: projectId }),
    policies: {},
  };
  for (const [name, policy] of Object.entries(policies)) {
    const verdicts = verdictsOf(policy, dictionary.fields, identifying[name]);
    const suspected = (identifying[name] ?? []).filter((field) => verdicts?.get(field)?.kind === 'suspected');
    const isGranted = ({ name: field, instrument }: Field): boolean =>
      isShown(verdicts?.get(field), suspected.includes(field)) &&
      accessTo(policy, instrument) !== undefined &&
      !policy.fields?.hide?.some((each) => each === field);
    const forms = dictionary.instruments.filter((form) => accessTo(policy, form) !== undefined);
    const fieldsOf = (form: string): string[] =>
      dictionary.fields
        .filter((field) => field.instrument === form && isGranted(field))
        .map((field) => field.name);
    lock.policies[name] = Object.fromEntries(forms.map((form) => [form, fieldsOf(form)]));
    if (suspected.length > 0) lock.identifying = { ...lock.identifying, [name]: suspected };
  }
  return lock;
}

/** Returns what a policy grants on an instrument, by its name or by `"*"`. */
export function accessTo({ forms }: Policy, form: string): 'read' | 'write' | undefined {
  const access = Object.hasOwn(forms, form) ? forms[form] : forms['*'];
  return access === 'none' ? undefined : access;
}
