import { callsOf } from '../../client/compose-client.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { NotInPolicyError } from '../../domain/errors/access-errors.js';
import { loadPolicyFiles } from '../../policy/load-policy-files.js';
import {
  compareCase,
  readPolicyCases,
  recordsIn,
  visibleRecords,
  type PolicyCase,
} from '../../policy/policy-cases.js';
import { acceptAll } from '../../policy/policy-lock.js';
import type { ProjectView } from '../../policy/project-view.js';
import { restrict } from '../../policy/restrict.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { readTextFile } from '../files/read-text-file.js';
import { withClient, type OpenedClient } from '../open-client.js';
import { counted } from '../printing/counted.js';
import { ownRecordNotes, policyFindings } from '../check/policy-findings.js';
import { additions, callerOf, pathOf, viewsFor, type PolicyOptions } from './policy-action.js';
import { unneededRights } from './unneeded-rights.js';

/** Prints what does not fit the project, for every policy, and what is likely a mistake. @returns 1 if one does not fit */
export function checkPolicy(options: PolicyOptions): Promise<ExitCode> {
  return withClient(options, async (opened) => {
    const files = await loadPolicyFiles(pathOf(options, opened));
    const { structure, compiled, problems, notes } = await policyFindings(opened, files);
    const { policies, bindings } = files.set;
    const fits = problems.length === 0;
    const waiting = additions(acceptAll(files.set, structure, files.lock.identifying), files.lock).length;
    const count = Object.keys(policies).length;
    const lines = [
      ...problems,
      ...notes,
      ...(fits ? await ownRecordNotes(opened, files, structure) : []),
      ...(waiting > 0 ? [`${counted(waiting, 'field')} hidden until crf policy accept shows them.`] : []),
      ...(fits
        ? [
            count === 1
              ? '1 policy checked, it fits the project.'
              : `${count} policies checked, all fit the project.`,
          ]
        : []),
      ...(fits
        ? await unneededRights(
            { policies: compiled, bindings, dictionary: structure.dictionary },
            opened.client,
          )
        : []),
    ];
    for (const line of lines) process.stdout.write(`${line}\n`);
    return fits ? EXIT_CODES.ok : EXIT_CODES.failed;
  });
}

/**
 * Compares what callers see with what a file expects, and prints each expectation that is not met.
 *
 * @returns 1 if there is one
 */
export function testPolicy(options: PolicyOptions & { readonly cases: string }): Promise<ExitCode> {
  return withClient(options, async (opened) => {
    const cases = readPolicyCases(await readTextFile(options.cases, 'cases'));
    const views = viewsFor(opened, await loadPolicyFiles(pathOf(options, opened)));
    const structure = await loadProjectStructure(opened.client);
    const idName = structure.dictionary.recordIdField?.name ?? '';
    const records = [...new Set(cases.flatMap(recordsIn))];
    const rows = records.length === 0 ? [] : await opened.client.exportRecords({ records, fields: [idName] });
    const existing = new Set(rows.map((row) => String(row[idName])));
    let count = 0;
    let failed = 0;
    for (const [index, each] of cases.entries()) {
      const view = await views.viewOf(callerOf(each.as)).catch(noneWithoutRights);
      const visible = await visibleOf(each, view, existing, structure, opened);
      const compared = compareCase(each, view, { structure, existing, visible });
      const failures = compared.filter(({ failure }) => failure !== undefined);
      count += compared.length;
      failed += failures.length;
      for (const { text, failure } of failures)
        process.stdout.write(`cases[${index}] ${each.as}: ${text}: ${failure}\n`);
    }
    const outcome = failed === 0 ? 'all are met' : `${failed} ${failed === 1 ? 'is' : 'are'} not met`;
    process.stdout.write(
      `${counted(count, 'expectation')} of ${counted(cases.length, 'case')}: ${outcome}.\n`,
    );
    return failed === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
  });
}

function noneWithoutRights(error: unknown): undefined {
  if (!(error instanceof NotInPolicyError)) throw error;
}

function visibleOf(
  each: PolicyCase,
  view: ProjectView | undefined,
  existing: ReadonlySet<string>,
  structure: ProjectStructure,
  { client }: OpenedClient,
): Promise<Set<string>> {
  if (view === undefined) return Promise.resolve(new Set());
  const named = recordsIn(each).filter((id) => existing.has(id));
  return visibleRecords(restrict(callsOf(client), view), view, structure, named);
}
