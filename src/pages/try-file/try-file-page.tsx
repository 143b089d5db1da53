import type { RecordProblem } from '../../errors/field-problem.js';
import type { ImportOutcome, SentImportRequest } from '../../records/import/import-request.js';
import type { ImportWarningList } from '../../records/import/warnings/import-warning.js';
import { ASSETS } from '../assets.js';
import { Choice } from '../choice.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { FileChanges } from './file-changes.js';
import { FileFaults } from './file-faults.js';
import { Table } from '../table.js';
import type { Texts } from '../texts/en.js';

/** The result of checking or storing a file. */
export type FileReport =
  | { readonly kind: 'valid'; readonly outcome: ImportOutcome }
  | { readonly kind: 'stored'; readonly outcome: ImportOutcome }
  | { readonly kind: 'faulty'; readonly problems: readonly RecordProblem[]; readonly total: number }
  /** Something was stored, or may have been; `notes` say which rows. */
  | { readonly kind: 'interrupted'; readonly message: string; readonly notes: readonly string[] }
  | { readonly kind: 'tooLarge' | 'noRows' }
  | { readonly kind: 'unreadable'; readonly message: string };

/** How the file is read, as chosen in the form. */
export type FileChoices = Pick<
  SentImportRequest,
  'limits' | 'keepMisfits' | 'dateFormat' | 'century' | 'decimalCharacter' | 'encoding' | 'sheet'
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
  const { t } = context;
  const words = t.tryFile;
  return renderPage({
    title: words.title,
    context,
    isWide: report?.kind === 'faulty' || warningsOf(report) !== undefined || hasChanges(report),
    scripts: [ASSETS.tryFileScript],
    lead: words.lead,
    children: (
      <>
        {report !== undefined && <Report t={t} report={report} />}
        <form method="post" action="/try-file" enctype="multipart/form-data">
          <Choices t={t} choices={choices} />
          <div class="drop" id="drop">
            <label for="file">{words.file}</label>
            <input id="file" name="file" type="file" accept=".csv,.xlsx,text/csv" required />
            <p class="quiet small">{words.limit}</p>
          </div>
          <div class="actions">
            <button type="submit">{words.check}</button>
            {mayStore && report?.kind === 'valid' && (
              <button class="plain" type="submit" formaction="/try-file?store=yes">
                {words.store}
              </button>
            )}
          </div>
        </form>
        {mayStore && report?.kind === 'valid' && (
          <p class="quiet small" id="unkept">
            {words.notKept}
          </p>
        )}
        {context.isSandbox && (
          <p>
            {words.noFile} <a href="/try-file/example.csv">{words.example}</a>
          </p>
        )}
      </>
    ),
  });
}

/** How the file is read. It stands before the file in the form, and is sent before it. */
function Choices({ t, choices }: { readonly t: Texts; readonly choices: FileChoices }) {
  const words = t.fileChoices;
  const { dateOrders, centuries, ofLimits, ofMisfits } = words;
  const { limits, keepMisfits, dateFormat, century, decimalCharacter, encoding, sheet } = choices;
  return (
    <fieldset class="choices">
      <legend>{words.title}</legend>
      <Choice
        name="encoding"
        label={words.encoding}
        chosen={encoding}
        options={Object.entries(words.encodings)}
      />
      <Choice
        name="dateFormat"
        label={words.dates}
        chosen={dateFormat}
        options={(['YMD', 'DMY', 'MDY'] as const).map((order) => [order, dateOrders[order]])}
      />
      <Choice
        name="century"
        label={words.century}
        chosen={century?.toString()}
        options={[
          ['', centuries.none],
          ['2000', centuries[2000]],
          ['1900', centuries[1900]],
        ]}
      />
      <Choice
        name="decimalCharacter"
        label={words.decimals}
        chosen={decimalCharacter}
        options={[
          ['', words.asStored],
          [',', '1.234,5'],
          ['.', '1,234.5'],
        ]}
      />
      <Choice
        name="limits"
        label={words.limits}
        chosen={limits}
        options={(['warn', 'refuse'] as const).map((each) => [each, ofLimits[each]])}
      />
      <Choice
        name="keepMisfits"
        label={words.misfits}
        chosen={keepMisfits === true ? 'true' : undefined}
        options={[
          ['false', ofMisfits.refuse],
          ['true', ofMisfits.keep],
        ]}
      />
      <div>
        <label for="sheet">{words.sheet}</label>
        <input id="sheet" name="sheet" value={sheet} maxlength={100} autocomplete="off" />
      </div>
    </fieldset>
  );
}

function Report({ t, report }: { readonly t: Texts; readonly report: FileReport }) {
  switch (report.kind) {
    case 'tooLarge':
    case 'noRows':
      return (
        <p class="problem" role="alert">
          {t.tryFile[report.kind]}
        </p>
      );
    case 'unreadable':
      return (
        <p class="problem" role="alert" lang="en">
          {report.message}
        </p>
      );
    case 'interrupted':
      return (
        <div class="problem" role="alert" lang="en">
          <p>{report.message}</p>
          {report.notes.map((note) => (
            <p class="small">{note}</p>
          ))}
        </div>
      );
    case 'faulty':
      return <FileFaults t={t} {...report} />;
    case 'valid':
    case 'stored': {
      const warnings = warningsOf(report);
      const { count, ignored = [], changes } = report.outcome;
      return (
        <>
          <div class="good" role="status">
            <p>
              {report.kind === 'valid'
                ? t.fileReport.valid(count, warnings !== undefined)
                : t.fileReport.stored(count)}
            </p>
            {ignored.length > 0 && <p class="small">{t.fileReport.ignored(ignored.length)}</p>}
          </div>
          {changes !== undefined && <FileChanges t={t} changes={changes} />}
          {warnings !== undefined && <Warnings t={t} {...warnings} isStored={report.kind === 'stored'} />}
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

function Warnings({
  t,
  count,
  rules,
  first,
  isStored,
}: ImportWarningList & { readonly t: Texts; readonly isStored: boolean }) {
  const words = t.fileReport;
  const { columns, firstOf, inOrder } = t.tryFile;
  const hasEvents = first.some(({ event }) => event !== '');
  const hasInstances = first.some(({ instance }) => instance !== null);
  return (
    <section aria-labelledby="warnings">
      <p id="warnings">
        {words.warnings(count)}:{' '}
        {isStored ? words.storedAnyway : rules.invalid_value > 0 ? words.mayRefuse : words.wouldStore}
      </p>
      <Table
        label={words.labelOfWarnings}
        caption={first.length < count ? firstOf(first.length, count) : inOrder}
        columns={[
          { name: columns.line, kind: 'number' },
          columns.field,
          { name: columns.warning, kind: 'words' },
          columns.record,
          hasEvents && columns.event,
          hasInstances && { name: columns.instance, kind: 'number' },
        ]}
        rows={first.map(({ line, field, message, record, event, instance }) => [
          line,
          <code key="field">{field}</code>,
          <span key="message" lang="en">
            {message}
          </span>,
          record,
          event,
          instance ?? '',
        ])}
      />
    </section>
  );
}
