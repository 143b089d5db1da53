import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { verdictsOf } from '../../policy/deidentify/field-verdicts.js';
import { lockPathOf } from '../../policy/load-policy-files.js';
import { type PolicySet, readPolicyFile } from '../../policy/policy-file.js';
import {
  acceptAll,
  accessTo,
  otherFile,
  otherProject,
  type PolicyLock,
  readPolicyLock,
  writePolicyLock,
} from '../../policy/policy-lock.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import type { Io } from '../io.js';
import { pathOf, policyFile } from '../options/caller.js';
import { confirm } from '../options/confirm.js';
import { flag, texts, toList, YES } from '../options/shared-options.js';
import { counted, namesInWords } from '../printing/table.js';

/**
 * Prints each field that becomes visible, and those that stay hidden until they are named, and writes the lock, after a
 * question if it opens anything.
 */
export const acceptCommand = subcommand({
  usage: 'accept [file]',
  describe: 'Write the lock of a policy file: show every field that the policies grant now',
  args: {
    file: policyFile,
    ...YES,
    'dry-run': flag('Only print what would be added'),
    identifying: texts('Show these fields, as POLICY.FIELD, although they may identify somebody'),
  },
  examples: {
    '$0 policy accept policy.yaml --dry-run': 'Which fields would become visible',
    '$0 policy accept trial.yaml --yes': 'Write trial.lock without a question, as scripts have to',
    '$0 policy accept policy.yaml --identifying analyst.bmi': 'A field that de-identification would hide',
  },
  reads: async (opened, options, io) => {
    const path = pathOf(options, opened);
    const set = readPolicyFile(await readTextFile(path, io));
    const structure = await loadProjectStructure(opened.client);
    const before = await lockBefore(path, structure, io);
    const named = toList(options.identifying) ?? [];
    const lock = acceptAll(set, structure, withNamed(named, before.identifying), basename(path));
    const refused = named.filter((name) => !isAccepted(name, lock));
    if (refused.length > 0)
      throw new CliError(
        `--identifying: ${namesInWords(refused)} ${refused.length === 1 ? 'is' : 'are'} not hidden by de-identification as something that may identify somebody, or cannot be shown. Without --identifying the command lists what can be named.`,
        EXIT_CODES.usage,
      );
    const added = additions(lock, before);
    for (const line of added) io.stdout.write(`+ ${line}\n`);
    for (const line of suspectedIn(set, structure, lock)) io.stdout.write(`? ${line}\n`);
    if (!options.dryRun) {
      if (added.length > 0)
        await confirm(
          `Show ${counted(added.length, 'field')} to the callers of these policies`,
          options.yes,
          io,
        );
      await writeFile(lockPathOf(path), writePolicyLock(lock));
    }
    const outcome = options.dryRun ? 'would be added to' : 'added to';
    if (options.quiet !== true)
      io.stderr.write(`${counted(added.length, 'field')} ${outcome} ${lockPathOf(path)}.\n`);
  },
});

/** Returns what was accepted before. What was accepted for another file or project was not accepted here. */
async function lockBefore(path: string, structure: ProjectStructure, io: Io): Promise<PolicyLock> {
  const [file, name] = [basename(path), basename(lockPathOf(path))];
  const text = await readFile(lockPathOf(path), 'utf8').catch(unlessMissing);
  const lock = text === undefined ? NOTHING : readPolicyLock(text, name);
  if (lock.file !== undefined && lock.file !== file && existsSync(join(dirname(path), lock.file)))
    throw new CliError(
      `${name} is the lock of ${lock.file}, which is beside ${file}: give one of them another name.`,
      EXIT_CODES.usage,
    );
  const other = otherFile(lock, file) ?? otherProject(lock, structure);
  if (text === undefined || other === undefined) return lock;
  io.stderr.write(`${name} ${other.split(':')[0] ?? ''}: nothing was accepted here before.\n`);
  return NOTHING;
}

const NOTHING: PolicyLock = { version: 1, policies: {} };

type Identifying = NonNullable<PolicyLock['identifying']>;

/** Adds fields, as `policy.field`, to those that were accepted before. */
function withNamed(named: readonly string[], before: Identifying = {}): Identifying {
  const identifying: Identifying = { ...before };
  for (const name of named) {
    const [policy = '', field = ''] = name.split('.');
    identifying[policy] = [...new Set([...(identifying[policy] ?? []), field])];
  }
  return identifying;
}

function isAccepted(name: string, { identifying = {} }: PolicyLock): boolean {
  const [policy = '', field = ''] = name.split('.');
  return Object.hasOwn(identifying, policy) && (identifying[policy]?.includes(field) ?? false);
}

/** Returns the fields that stay hidden because they may identify somebody. */
function suspectedIn(
  set: PolicySet,
  { dictionary }: ProjectStructure,
  { identifying }: PolicyLock,
): string[] {
  return Object.entries(set.policies).flatMap(([name, policy]) => {
    const accepted = identifying?.[name] ?? [];
    return [...(verdictsOf(policy, dictionary.fields, accepted) ?? [])].flatMap(([field, verdict]) => {
      const form = dictionary.field(field)?.instrument ?? '';
      const isHidden = verdict.kind === 'suspected' && !accepted.includes(field);
      return isHidden && accessTo(policy, form) !== undefined
        ? [`${name}.${field} stays hidden: ${verdict.why}`]
        : [];
    });
  });
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

export function additions(lock: PolicyLock, before: PolicyLock): string[] {
  return Object.entries(lock.policies).flatMap(([policy, forms]) =>
    Object.entries(forms).flatMap(([form, fields]) =>
      fields
        .filter((field) => !before.policies[policy]?.[form]?.includes(field))
        .map((field) => `${policy}: ${form}.${field}`),
    ),
  );
}
