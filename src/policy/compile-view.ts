import { hash } from 'node:crypto';
import type { DataDictionary } from '../domain/dictionary/data-dictionary.js';
import type { Field } from '../domain/dictionary/field.js';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import type { FieldProblem } from '../domain/errors/field-problem.js';
import { nearestName } from '../domain/identifiers/nearest-name.js';
import { PolicyInvalidError } from '../domain/errors/operator-errors.js';
import { checkLogic } from '../domain/logic/checker.js';
import { describeProblem } from '../domain/logic/logic-problem.js';
import { fieldsIn } from '../domain/logic/syntax.js';
import { formulaOf, isUnreadable, readersOf, sourcesOf } from './calculation-sources.js';
import type { CellRule } from './deidentify/cell-rules.js';
import { isShown, verdictsOf, type Verdict } from './deidentify/field-verdicts.js';
import type { Deidentification } from './deidentify/row-changer.js';
import { transformsOf } from './deidentify/transforms.js';
import { HiddenNames, namesOfForm, wordsInBrackets } from './hidden-names.js';
import type { Policy } from './policy-file.js';
import { accessTo, otherProject, type PolicyLock } from './policy-lock.js';
import type { Access, ProjectView, RowRule } from './project-view.js';

/** A policy for the project as it is: a view of all of its callers, but for their records. */
export type CompiledPolicy = Omit<ProjectView, 'rows' | 'key'>;

/**
 * Compiles a policy against the structure of the project. A name that the project does not have closes the policy,
 * because what it was to hide could have another name now.
 *
 * @param lock the fields that were accepted, in this project
 * @throws {PolicyInvalidError} names every name that the project does not have
 */
export function compilePolicy(
  name: string,
  policy: Policy,
  structure: ProjectStructure,
  lock: PolicyLock,
): CompiledPolicy {
  const { dictionary } = structure;
  const accepted = lock.policies[name] ?? {};
  const identifying = lock.identifying?.[name] ?? [];
  const ofOther = otherProject(lock, structure);
  const problems = [
    ...(ofOther === undefined ? [] : [{ field: 'the lock', message: ofOther }]),
    ...unknownNames(policy, structure),
  ];
  const [recordId] = dictionary.fields;
  const transforms = transformsOf(policy, recordId);
  const verdicts = verdictsOf(policy, dictionary.fields, identifying);
  const fields =
    recordId === undefined
      ? new Map<string, Access>()
      : visibleFields(policy, dictionary, accepted, recordId, {
          verdicts,
          identifying: new Set(identifying),
        });
  if (fields.size < 2)
    problems.push({ field: 'forms', message: 'show no field that was accepted: run crf policy accept' });
  const { deciding, problems: unread } = decidingFields(policy, structure);
  problems.push(...unread);
  if (problems.length > 0) throw new PolicyInvalidError(problems, name);
  return {
    policy: name,
    fields,
    forms: formsOf(policy, dictionary, fields),
    events: policy.events && new Set(policy.events),
    deciding,
    log: policy.log,
    create: creationOf(policy),
    files: policy.files,
    reports: new Set(policy.reports),
    deidentify: transforms && { ...transforms, rules: rulesOf(verdicts, fields), keys: undefined },
  };
}

/**
 * Completes a view with the records of a caller. Views of equal content have equal keys.
 *
 * @param secret keeps an address in the rule of the rows from being guessed from the key
 * @param made what a de-identified view has besides: what depends on the record, and the files that its manifests name
 */
export function viewWith(
  compiled: CompiledPolicy,
  rows: RowRule,
  secret: string,
  made: Partial<Pick<Deidentification, 'keys' | 'digests'>> = {},
): ProjectView {
  const deidentify = compiled.deidentify && { ...compiled.deidentify, ...made };
  const content = { ...compiled, rows, fields: [...compiled.fields], forms: [...compiled.forms] };
  const sets = {
    events: compiled.events && [...compiled.events],
    reports: [...compiled.reports],
    deciding: [...compiled.deciding],
  };
  const changes = deidentify && {
    deidentify: [
      ...[deidentify.preset, deidentify.recordId, [...deidentify.rules]],
      ...[deidentify.keys?.fingerprint, deidentify.digests],
    ],
  };
  return {
    ...compiled,
    rows,
    deidentify,
    key: hash('sha256', JSON.stringify([secret, { ...content, ...sets, ...changes }]), 'base64url'),
  };
}

function visibleFields(
  policy: Policy,
  dictionary: DataDictionary,
  accepted: PolicyLock['policies'][string],
  recordId: Field,
  { verdicts, identifying }: Verdicts,
): Map<string, Access> {
  const hidden = new Set(policy.fields?.hide);
  const named = new Set<string>(policy.fields?.read);
  const known = new Map(Object.entries(accepted).map(([form, names]) => [form, new Set(names)]));
  const visible = new Map<string, Access>();
  for (const { name, instrument } of dictionary.fields) {
    const access = accessTo(policy, instrument);
    if (name === recordId.name) visible.set(name, access ?? 'read');
    else if (!isShown(verdicts?.get(name), identifying.has(name))) continue;
    else if (named.has(name)) visible.set(name, 'read');
    else if (access !== undefined && !hidden.has(name) && known.get(instrument)?.has(name))
      visible.set(name, access);
  }
  hideCalculations(policy, dictionary, visible, new Set([...named, ...identifying]));
  return visible;
}

/** What de-identification does with fields, and those that were accepted although they may identify somebody. */
interface Verdicts {
  readonly verdicts: ReadonlyMap<string, Verdict> | undefined;
  readonly identifying: ReadonlySet<string>;
}

function rulesOf(verdicts: Verdicts['verdicts'], fields: ReadonlyMap<string, Access>): Map<string, CellRule> {
  const rules = new Map<string, CellRule>();
  for (const [name, verdict] of verdicts ?? [])
    if ('rule' in verdict && verdict.rule !== undefined && fields.has(name)) rules.set(name, verdict.rule);
  return rules;
}

/** Returns the fields that the rule of the records reads, also by way of calculations. */
function decidingFields(
  { records }: Policy,
  { dictionary, events, missingDataCodes }: ProjectStructure,
): { deciding: Set<string>; problems: FieldProblem[] } {
  const deciding = new Set<string>();
  const problems: FieldProblem[] = [];
  if (typeof records === 'object' && 'own' in records) deciding.add(records.own.field);
  if (typeof records === 'object' && 'where' in records) {
    const project = {
      dictionary,
      events: events.map(({ uniqueName }) => uniqueName),
      missingDataCodes: [...missingDataCodes],
    };
    const { tree, errors, notes } = checkLogic(records.where, project);
    // What cannot be checked may not mean what it seems to.
    const found = [...errors, ...notes].map((problem) => `is not valid ${describeProblem(problem)}`);
    problems.push(...found.map((message) => ({ field: 'records.where', message })));
    if (tree !== undefined) for (const name of fieldsIn(tree)) deciding.add(name);
  }
  const known = new Set(dictionary.fields.map(({ name }) => name));
  // A set is iterated over what is added meanwhile, too.
  for (const name of deciding) {
    const field = dictionary.field(name);
    for (const source of field === undefined ? [] : sourcesOf(field, known)) {
      if (source !== undefined) deciding.add(source);
      else
        problems.push({
          field: 'records',
          message: `depends on the calculation of ${name}, which cannot be read`,
        });
    }
  }
  return { deciding, problems };
}

/**
 * Hides what is calculated from a hidden field, form status or event, directly or by way of others, or from records that
 * are hidden, and what cannot be read.
 *
 * @param named what is not hidden
 */
function hideCalculations(
  policy: Policy,
  dictionary: DataDictionary,
  visible: Map<string, Access>,
  named: ReadonlySet<string>,
): void {
  const hidden = new HiddenNames(dictionary.fields, {
    fields: visible,
    forms: formsOf(policy, dictionary, visible),
    events: policy.events && new Set(policy.events),
  });
  const reads = new Map<Field, readonly string[]>();
  const gone: Field[] = [];
  const hide = (field: Field): void => {
    if (visible.delete(field.name)) gone.push(field);
  };
  for (const field of dictionary.fields) {
    const formula = formulaOf(field);
    if (formula === undefined || named.has(field.name)) continue;
    const isOfOthers = policy.records !== 'all' && AGGREGATES.test(formula);
    const words = wordsInBrackets(formula);
    if (words === undefined || hidden.isIn(formula) || isOfOthers || isUnreadable(field)) hide(field);
    else reads.set(field, words);
  }
  const readers = readersOf(reads);
  // A list is iterated over what is added meanwhile, too: each field is hidden once, however long the chain is.
  const [, ...others] = dictionary.fields;
  const shown = countsOf([...others.filter(({ name }) => visible.has(name)), ...gone]);
  for (const { name, instrument } of gone) {
    const left = (shown.get(instrument) ?? 0) - 1;
    shown.set(instrument, left);
    for (const each of left === 0 ? [name, ...namesOfForm(instrument)] : [name])
      for (const reader of readers.get(each) ?? []) hide(reader);
  }
}

/** Returns how many of some fields each instrument has. */
function countsOf(fields: readonly Field[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { instrument } of fields) counts.set(instrument, (counts.get(instrument) ?? 0) + 1);
  return counts;
}

/** Smart variables that read other records, such as `[aggregate-mean:weight]`. */
const AGGREGATES = /\[aggregate-/i;

function formsOf(
  policy: Policy,
  dictionary: DataDictionary,
  fields: ReadonlyMap<string, Access>,
): Map<string, Access> {
  const [, ...others] = dictionary.fields;
  const shown = countsOf(others.filter(({ name }) => fields.has(name)));
  return new Map(
    dictionary.instruments
      .filter((form) => shown.has(form))
      .map((form) => [form, accessTo(policy, form) ?? 'read'] as const),
  );
}

function creationOf({ create }: Policy): ProjectView['create'] {
  if (create === false) return { kind: 'none' };
  return create === 'auto' ? { kind: 'auto' } : { kind: 'prefix', prefix: create.prefix };
}

function unknownNames(policy: Policy, structure: ProjectStructure): FieldProblem[] {
  const { dictionary } = structure;
  const own = typeof policy.records === 'object' && 'own' in policy.records ? policy.records.own : undefined;
  const fields = dictionary.fields.map(({ name }) => name);
  const events = structure.events.map(({ uniqueName }) => uniqueName);
  const forms = Object.keys(policy.forms).filter((form) => form !== '*');
  const { age, zip } = policy.transform ?? {};
  return [
    ...unknown('forms', forms, dictionary.instruments, 'an instrument'),
    ...unknown('fields.hide', policy.fields?.hide, fields, 'a field'),
    ...unknown('fields.read', policy.fields?.read, fields, 'a field'),
    ...unknown('transform.age.fields', age?.fields, fields, 'a field'),
    ...unknown('transform.zip.fields', zip?.fields, fields, 'a field'),
    ...unknown('events', policy.events, events, 'an event'),
    ...unknown('records.own.field', own && [own.field], fields, 'a field'),
    ...unknown('records.own.event', own?.event, events, 'an event'),
  ];
}

function unknown(
  place: string,
  names: readonly string[] = [],
  known: readonly string[],
  word: string,
): FieldProblem[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearestName(name, known);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return { field: `${place}.${name}`, message: `is not ${word} of the project${hint}` };
    });
}
