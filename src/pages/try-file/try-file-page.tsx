import type { RecordProblem } from '../../errors/field-problem.js';
import type { ImportOutcome, ImportRequest } from '../../records/import/import-request.js';
import type { ImportWarningList } from '../../records/import/warnings/import-warning.js';
import { ASSETS } from '../assets.js';
import { Choice } from '../choice.js';
import { inEnglish, type PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { FileChanges } from './file-changes.js';
import { FileFaults } from './file-faults.js';
import { Table } from '../table.js';

/** The result of checking or storing a file. */
export type FileReport =
  | { readonly kind: 'valid'; readonly outcome: ImportOutcome }
  | { readonly kind: 'stored'; readonly outcome: ImportOutcome }
  | { readonly kind: 'faulty'; readonly problems: readonly RecordProblem[]; readonly total: number }
  /** Something was stored, or may have been; `notes` say which rows. */
  | { readonly kind: 'interrupted'; readonly message: string; readonly notes: readonly string[] }
  | { readonly kind: 'unreadable'; readonly message: string };

/** How the file is read, as chosen in the form. */
export type FileChoices = Pick<
  ImportRequest,
  'limits' | 'keepMisfits' | 'dateFormat' | 'century' | 'decimalCharacter' | 'encoding'
>;

/** The page on which a file is checked against the data dictionary, with its report. */
export function tryFilePage(
  context: PageContext,
  {
    report,
    choices = {},
    mayStore,
  }: { readonly report?: FileReport; readonly choices?: FileChoices; readonly mayStore: boolean },
): string {
  return renderPage({
    title: 'Try a file',
    context: inEnglish(context),
    isWide: report?.kind === 'faulty' || warningsOf(report) !== undefined || hasChanges(report),
    scripts: [ASSETS.tryFileScript],
    lead: 'A CSV with records is checked against the data dictionary, row by row. Checking stores nothing.',
    children: (
      <>
        {report !== undefined && <Report {...report} />}
        <form method="post" action="/try-file" enctype="multipart/form-data">
          <Choices {...choices} />
          <div class="drop" id="drop">
            <label for="file">A CSV file, the names of the fields in its first row</label>
            <input id="file" name="file" type="file" accept=".csv,text/csv" required />
            <p class="quiet small">Up to 10 MB.</p>
          </div>
          <div class="actions">
            <button type="submit">Check the file</button>
            {mayStore && report?.kind === 'valid' && (
              <button class="plain" type="submit" formaction="/try-file?store=yes">
                Store it in REDCap
              </button>
            )}
          </div>
        </form>
        {mayStore && report?.kind === 'valid' && (
          <p class="quiet small" id="unkept">
            The file was not kept: choose it again to store it.
          </p>
        )}
        {context.isSandbox && (
          <p>
            No file at hand? <a href="/try-file/example.csv">This example has mistakes.</a>
          </p>
        )}
      </>
    ),
  });
}

/** How the file is read. It stands before the file in the form, and is sent before it. */
function Choices({ limits, keepMisfits, dateFormat, century, decimalCharacter, encoding }: FileChoices) {
  return (
    <fieldset class="choices">
      <legend>How to read it</legend>
      <Choice name="encoding" label="Encoding of its text" chosen={encoding} options={ENCODINGS} />
      <Choice name="dateFormat" label="Dates" chosen={dateFormat} options={DATES} />
      <Choice name="century" label="Years of two digits" chosen={century?.toString()} options={CENTURIES} />
      <Choice name="decimalCharacter" label="Numbers" chosen={decimalCharacter} options={DECIMALS} />
      <Choice
        name="limits"
        label="Values outside the limits of their field"
        chosen={limits}
        options={LIMITS}
      />
      <Choice
        name="keepMisfits"
        label="Values that do not fit their field"
        chosen={keepMisfits === true ? 'true' : undefined}
        options={MISFITS}
      />
    </fieldset>
  );
}

const ENCODINGS = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows-1252, as older spreadsheets write it'],
  ['utf-16le', 'UTF-16 LE, “Unicode text”'],
  ['utf-16be', 'UTF-16 BE'],
] as const satisfies readonly (readonly [FileChoices['encoding'], string])[];
const DATES = [
  ['YMD', '2026-12-31'],
  ['DMY', '31/12/2026 or 31.12.2026'],
  ['MDY', '12/31/2026'],
] as const;
const CENTURIES = [
  ['', 'refuse them'],
  ['2000', 'are of 2000 to 2099'],
  ['1900', 'are of 1900 to 1999'],
] as const;
const DECIMALS = [
  ['', 'as REDCap stores them'],
  [',', '1.234,5'],
  ['.', '1,234.5'],
] as const;
const LIMITS = [
  ['warn', 'store them, with a warning'],
  ['refuse', 'refuse the file'],
] as const;
const MISFITS = [
  ['false', 'refuse the file'],
  ['true', 'send them as they are, with a warning'],
] as const;

function Report(report: FileReport) {
  switch (report.kind) {
    case 'unreadable':
      return (
        <p class="problem" role="alert">
          {report.message}
        </p>
      );
    case 'interrupted':
      return (
        <div class="problem" role="alert">
          <p>{report.message}</p>
          {report.notes.map((note) => (
            <p class="small">{note}</p>
          ))}
        </div>
      );
    case 'faulty':
      return <FileFaults {...report} />;
    case 'valid':
    case 'stored': {
      const warnings = warningsOf(report);
      return (
        <>
          <div class="good" role="status">
            <p>
              {report.kind === 'valid'
                ? `${warnings === undefined ? 'All is well' : 'The file is valid'}: ${counted(report.outcome.count)} could be stored. Nothing has been stored.`
                : `Stored ${counted(report.outcome.count)} in REDCap.`}
            </p>
            {(report.outcome.ignored?.length ?? 0) > 0 && (
              <p class="small">
                {report.outcome.ignored?.length === 1
                  ? 'One column cannot be imported and is left out.'
                  : `${report.outcome.ignored?.length ?? 0} columns cannot be imported and are left out.`}
              </p>
            )}
          </div>
          {report.outcome.changes !== undefined && <FileChanges {...report.outcome.changes} />}
          {warnings !== undefined && <Warnings {...warnings} isStored={report.kind === 'stored'} />}
        </>
      );
    }
  }
}

/** The warnings of a file that is valid or stored, if there are any. */
function warningsOf(report: FileReport | undefined): ImportWarningList | undefined {
  return report?.kind === 'valid' || report?.kind === 'stored' ? report.outcome.warnings : undefined;
}

function hasChanges(report: FileReport | undefined): boolean {
  return report?.kind === 'valid' && (report.outcome.changes?.first.length ?? 0) > 0;
}

function Warnings({ count, rules, first, isStored }: ImportWarningList & { readonly isStored: boolean }) {
  const hasEvents = first.some(({ event }) => event !== '');
  const hasInstances = first.some(({ instance }) => instance !== null);
  return (
    <section aria-labelledby="warnings">
      <p id="warnings">
        {count === 1 ? 'One warning' : `${count} warnings`}:{' '}
        {isStored
          ? 'REDCap stored the file anyway.'
          : rules.invalid_value > 0
            ? 'REDCap may refuse the values that do not fit their field.'
            : 'REDCap would store the file anyway.'}
      </p>
      <Table
        label="Warnings"
        caption={first.length < count ? `The first ${first.length} of ${count}` : 'In the order of the file'}
        columns={[
          { name: 'Line', kind: 'number' },
          'Field',
          { name: 'Warning', kind: 'words' },
          'Record',
          hasEvents && 'Event',
          hasInstances && { name: 'Instance', kind: 'number' },
        ]}
        rows={first.map(({ line, field, message, record, event, instance }) => [
          line,
          <code key="field">{field}</code>,
          message,
          record,
          event,
          instance ?? '',
        ])}
      />
    </section>
  );
}

function counted(records: number): string {
  return records === 1 ? 'one record' : `${records} records`;
}
