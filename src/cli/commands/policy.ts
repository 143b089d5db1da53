import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { callsOf } from '../../client/compose-client.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { CHANGES_IN_WORDS, verdictsOf } from '../../policy/deidentify/field-verdicts.js';
import { isPseudonym } from '../../policy/deidentify/record-keys.js';
import type { Deidentification } from '../../policy/deidentify/row-changer.js';
import {
  creationInWords,
  deidentificationInWords,
  grantsOf,
  IDS_IN_WORDS,
  rowsInWords,
} from '../../policy/grants.js';
import { loadPolicyFiles, lockPathOf } from '../../policy/load-policy-files.js';
import { visibleRecords } from '../../policy/policy-cases.js';
import { type Policy, type PolicySet, readPolicyFile } from '../../policy/policy-file.js';
import {
  acceptAll,
  accessTo,
  otherFile,
  otherProject,
  type PolicyLock,
  readPolicyLock,
  writePolicyLock,
} from '../../policy/policy-lock.js';
import type { ProjectView } from '../../policy/project-view.js';
import { restrict } from '../../policy/restrict.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { CliError, EXIT_CODES, type ExitCode } from '../cli-error.js';
import { defineCommand, subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import type { Io } from '../io.js';
import { callerOf, noRightsUnless, openView, pathOf, policyFile, viewsFor } from '../options/caller.js';
import { confirm } from '../options/confirm.js';
import { flag, needed, neededTexts, texts, value } from '../options/option.js';
import { JSON_ON_STDOUT, JSON_OPTION, toList, YES } from '../options/shared-options.js';
import { counted, namesInWords, said } from '../printing/table.js';
import { additions, checkCommand, testCommand } from './policy-check.js';

/** Prints what a caller sees, or why one field or record is visible or hidden. */
const explainCommand = subcommand({
  usage: 'explain [file]',
  describe: 'Show what a caller sees of the project',
  args: {
    file: policyFile,
    as: needed('The caller: key:NAME or session:ADDRESS', { requiresArg: true }),
    field: value('Say only whether this field is visible, and why'),
    record: value('Say only whether this record is visible'),
    ...JSON_OPTION,
  },
  examples: {
    '$0 policy explain policy.yaml --as key:stats': 'The forms, fields and records of an API key',
    '$0 policy explain --as session:ada@example.org --field dob': 'Whether a person sees a field, and why',
  },
  check: ({ as }) => void callerOf(as),
  reads: async (opened, { as, field, record, ...options }) => {
    const files = await loadPolicyFiles(pathOf(options, opened));
    const view = await viewsFor(opened, files).viewOf(callerOf(as)).catch(noRightsUnless(as));
    const structure = await loadProjectStructure(opened.client);
    const policy = files.set.policies[view.policy];
    if (record !== undefined) {
      const shown = restrict(callsOf(opened.client), view);
      const isVisible = (await visibleRecords(shown, view, structure, [record])).size > 0;
      const [seen, is] = isVisible ? ['visible', 'is'] : ['hidden', 'is not'];
      const text = `${record}: ${seen}. It ${is} a record of the view: ${rowsInWords(view.rows)}.`;
      return { data: { record, visible: isVisible, why: text }, text };
    }
    if (field === undefined || policy === undefined) return { data: inData(view), text: inWords(view) };
    const text = whyField(field, view, policy, structure, files.lock);
    return { data: { field, access: view.fields.get(field) ?? 'hidden', why: text }, text };
  },
});

const pseudonymCommand = subcommand({
  usage: 'pseudonym <records..>',
  describe: 'Print the pseudonyms of record ids, and the record ids of pseudonyms',
  args: {
    records: neededTexts('Record ids or pseudonyms'),
    as: needed('A caller whose policy has the pseudonyms: key:NAME or session:ADDRESS', {
      requiresArg: true,
    }),
    policy: { ...policyFile, requiresArg: true },
    ...JSON_ON_STDOUT,
  },
  examples: { '$0 policy pseudonym --as key:stats 1001 1002': 'Each record id, a tab, and its pseudonym' },
  epilogue:
    'Needs PSEUDONYM_KEY, and so is for whoever may know who the people are. Exit codes: 0 done; 1 a pseudonym belongs to another key, policy or project; 2 the policy has no pseudonyms.',
  check: ({ as }) => void callerOf(as),
  reads: async (opened, { as, records, policy: file }, io) => {
    const { view } = await openView(as, file, opened);
    const { policy, deidentify } = view;
    const keys = deidentify?.keys;
    if (keys === undefined || deidentify?.recordId !== 'pseudonym')
      throw new CliError(
        `The policy ${policy} has no pseudonyms: a record id is ${IDS_IN_WORDS[deidentify?.recordId ?? 'kept']}.`,
        EXIT_CODES.usage,
      );
    const data: { record: string; pseudonym: string }[] = [];
    let exitCode: ExitCode = EXIT_CODES.ok;
    for (const text of records) {
      const record = keys.idOf(text);
      if (record !== undefined) data.push({ record, pseudonym: text });
      else if (!isPseudonym(text)) data.push({ record: text, pseudonym: keys.pseudonymOf(text) });
      else {
        exitCode = EXIT_CODES.failed;
        io.stderr.write(
          `${text} is a pseudonym of another key, policy or project: those of ${policy} begin with ${keys.prefix}.\n`,
        );
      }
    }
    return { data, text: data.map((each) => `${each.record}\t${each.pseudonym}\n`).join(''), exitCode };
  },
});

/** Returns what a caller sees, as `GET /api/v1/auth/me` tells it, and what decides about it. */
function inData(view: ProjectView): object {
  const { rows, fields, deciding, deidentify } = view;
  const changes = [...(deidentify?.rules ?? [])].map(([name, { kind }]) => [name, CHANGES_IN_WORDS[kind]]);
  return {
    ...grantsOf(view),
    records: rowsInWords(rows),
    fields: Object.fromEntries(fields),
    deciding: [...deciding],
    ...(deidentify && { changes: Object.fromEntries(changes) as Record<string, string> }),
  };
}

function inWords(view: ProjectView): string {
  return said(
    `Policy ${view.policy}. Records: ${rowsInWords(view.rows)}.`,
    ...(view.deidentify === undefined ? [] : changesInWords(view.deidentify)),
    'Instruments:',
    ...[...view.forms].map(([form, access]) => `  ${form}: ${access}`),
    `${counted(view.fields.size, 'field')}: ${[...view.fields.keys()].join(', ')}`,
    `Events: ${view.events === undefined ? 'all' : [...view.events].join(', ')}. Creating records: ${creationInWords(view.create)}. Files: ${view.files}. Reports: ${[...view.reports].join(', ') || 'none'}. Log: ${view.log}.`,
    view.deciding.size > 0 &&
      `Decide about the records, and cannot be changed: ${[...view.deciding].join(', ')}.`,
    '',
  ).join('\n');
}

function changesInWords(deidentify: Deidentification): string[] {
  return said(
    `De-identification: ${deidentificationInWords(deidentify)}.`,
    deidentify.rules.size > 0 && 'Changed values:',
    ...[...deidentify.rules].map(([name, { kind }]) => `  ${name}: ${CHANGES_IN_WORDS[kind]}`),
  );
}

function whyField(
  name: string,
  { fields, policy: of, deidentify }: ProjectView,
  policy: Policy,
  { dictionary }: ProjectStructure,
  { identifying }: PolicyLock,
): string {
  const field = dictionary.field(name);
  if (field === undefined) return `${name} is not a field of the project.`;
  const access = fields.get(name);
  const verdict = verdictsOf(policy, dictionary.fields, identifying?.[of])?.get(name);
  if (verdict?.kind === 'removed')
    return `${name}: hidden. policies.${of}.deidentify removes it: ${verdict.why}.`;
  if (verdict?.kind === 'suspected' && access === undefined)
    return `${name}: hidden. ${verdict.why}. crf policy accept --identifying ${of}.${name} would show it.`;
  if (verdict?.kind === 'suspected')
    return `${name}: ${access}. The lock accepts it, although ${verdict.why}.`;
  if (verdict?.kind === 'changed' && access !== undefined) return `${name}: ${access}, but ${verdict.why}.`;
  if (name === dictionary.recordIdField?.name)
    return `${name}: ${access}. The record id is always visible; here it is ${IDS_IN_WORDS[deidentify?.recordId ?? 'kept']}.`;
  if (policy.fields?.read?.some((each) => each === name))
    return `${name}: read. policies.${of}.fields.read names it.`;
  if (policy.fields?.hide?.some((each) => each === name))
    return `${name}: hidden. policies.${of}.fields.hide names it.`;
  if (accessTo(policy, field.instrument) === undefined)
    return `${name}: hidden. policies.${of}.forms does not grant ${field.instrument}.`;
  if (access !== undefined)
    return `${name}: ${access}. policies.${of}.forms grants ${field.instrument}, and the lock has the field.`;
  return `${name}: hidden. The lock does not have it, or it is calculated from a hidden field.`;
}

/**
 * Prints each field that becomes visible, and those that stay hidden until they are named, and writes the lock, after a
 * question if it opens anything.
 */
const acceptCommand = subcommand({
  usage: 'accept [file]',
  describe: 'Write the lock of a policy file: show every field that the policies grant now',
  args: {
    file: policyFile,
    ...YES,
    'dry-run': flag('Only print what would be added'),
    identifying: texts('Show these fields, as POLICY.FIELD, although they may identify somebody'),
    ...JSON_ON_STDOUT,
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
    const suspected = suspectedIn(set, structure, lock);
    // Before the question, which is about them.
    const shown = options.json ? io.stderr : io.stdout;
    for (const line of added) shown.write(`+ ${line}\n`);
    for (const line of suspected) shown.write(`? ${line}\n`);
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
    const dryRun = options.dryRun && { dryRun: true };
    return { data: { lock: lockPathOf(path), added, suspected, ...dryRun }, text: '' };
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

export const command = defineCommand({
  subcommands: [checkCommand, testCommand, explainCommand, acceptCommand, pseudonymCommand],
});
