import { MalformedRequestError } from '../../domain/errors/caller-errors.js';
import type { CrfError } from '../../domain/errors/crf-error.js';
import type { FieldProblem, RecordProblem } from '../../domain/errors/field-problem.js';
import { saidIn } from '../../domain/errors/sentences.js';
import { ImportIncompleteError, type ImportInterruptedError } from '../../domain/errors/upstream-errors.js';
import type { ImportOutcome, RepeatedRows, SentImportRequest } from '../../records/import/import-request.js';
import type { ImportWarningList } from '../../records/import/warnings/import-warning.js';
import { ASSETS } from '../assets.js';
import { Choice, type ChoiceProps, type Worded } from '../parts.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { FaultTable, FileChanges, FileWarnings, Rule } from './file-tables.js';
import type { Texts } from '../texts/texts.js';

/** The result of checking or storing a file. */
export type FileReport =
  | { readonly kind: 'valid'; readonly outcome: ImportOutcome }
  /** `undo` is the undo file; undefined if there is nothing to undo, or it is not known. */
  | { readonly kind: 'stored'; readonly outcome: ImportOutcome; readonly undo?: string | undefined }
  | { readonly kind: 'faulty'; readonly problems: readonly RecordProblem[]; readonly total: number }
  /** Something was stored, or may have been. */
  | {
      readonly kind: 'interrupted';
      readonly error: ImportInterruptedError;
      readonly undo?: string | undefined;
    }
  | { readonly kind: 'tooLarge' | 'noRows' }
  | { readonly kind: 'unreadable'; readonly error: CrfError };

/** How the file is read, as chosen in the form. */
export type FileChoices = Pick<
  SentImportRequest,
  | 'limits'
  | 'keepMisfits'
  | 'forceAutoNumber'
  | 'dateFormat'
  | 'century'
  | 'decimalCharacter'
  | 'encoding'
  | 'sheet'
  | 'rawOrLabel'
  | 'rawOrLabelHeaders'
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
          <Choices t={t} choices={choices} isOpen={areNeeded(choices, report)} />
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

/** Whether the reader needs the choices: one is not as it is by default, or would let more of the file pass. */
function areNeeded(choices: FileChoices, report: FileReport | undefined): boolean {
  const isHinted = report?.kind === 'faulty' && report.problems.some(({ hint }) => hint !== undefined);
  const isChanged = Object.entries(choices).some(([name, value]) => DEFAULTS.get(name) !== value);
  return isHinted || isChanged || report?.kind === 'unreadable';
}

const DEFAULTS: ReadonlyMap<string, unknown> = new Map(
  Object.entries<unknown>({
    encoding: 'utf-8',
    dateFormat: 'YMD',
    limits: 'warn',
    keepMisfits: false,
    forceAutoNumber: false,
    rawOrLabel: 'raw',
    rawOrLabelHeaders: 'raw',
  }),
);

/**
 * How the file is read, folded away until somebody needs it. It stands before the file, and is sent before it, so that
 * the file need not be held in memory until the choices are known.
 */
function Choices({
  t,
  choices,
  isOpen,
}: Worded<{ readonly choices: FileChoices; readonly isOpen: boolean }>) {
  const words = t.fileChoices;
  const { centuries, writtenWith, ofMisfits, ofNumbering } = words;
  const choice = (name: keyof FileChoices, label: string, options: ChoiceProps['options']) => (
    <Choice name={name} label={label} chosen={choices[name]?.toString()} options={options} />
  );
  return (
    <details class="options" open={isOpen}>
      <summary>{words.title}</summary>
      <div class="choices">
        {choice('encoding', words.encoding, Object.entries(words.encodings))}
        {choice('dateFormat', words.dates, named(['YMD', 'DMY', 'MDY'], words.dateOrders))}
        {choice('century', words.century, [['', centuries.none], ...named(['2000', '1900'], centuries)])}
        {choice('decimalCharacter', words.decimals, [
          ['', words.asStored],
          ...named([',', '.'], writtenWith),
        ])}
        {choice('limits', words.limits, named(['warn', 'refuse'], words.ofLimits))}
        {choice('keepMisfits', words.misfits, noOrYes(ofMisfits.refuse, ofMisfits.keep))}
        {choice('forceAutoNumber', words.numbering, noOrYes(ofNumbering.file, ofNumbering.redcap))}
        {choice('rawOrLabel', words.values, named(['raw', 'label'], words.ofValues))}
        {choice('rawOrLabelHeaders', words.header, named(['raw', 'label'], words.ofHeader))}
        <div>
          <label for="sheet">{words.sheet}</label>
          <input id="sheet" name="sheet" value={choices.sheet} maxlength={100} autocomplete="off" />
        </div>
      </div>
    </details>
  );
}

/** Returns some values of a choice with their words. */
function named<Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
): (readonly [string, string])[] {
  return values.map((value) => [value, words[value]] as const);
}

const noOrYes = (no: string, yes: string) => [['false', no] as const, ['true', yes] as const];

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
        <p class="problem" role="alert">
          <Unreadable t={t} error={report.error} />
        </p>
      );
    case 'interrupted':
      return (
        <div class="problem" role="alert">
          <p>{interruptionOf(t, report.error)}</p>
          <Problems t={t} problems={report.error.errors} />
          <Undo t={t} undo={report.undo} />
        </div>
      );
    case 'faulty':
      return <FaultTable t={t} {...report} />;
    case 'valid':
    case 'stored': {
      const warnings = warningsOf(report);
      const { count, ignored = [], ids = [], notChecked = [], repeated, changes } = report.outcome;
      return (
        <>
          <div class="good" role="status">
            <p>
              {report.kind === 'valid'
                ? t.fileReport.valid(count, warnings !== undefined)
                : t.fileReport.stored(count)}
            </p>
            {ignored.length > 0 && <p class="small">{t.fileReport.ignored(ignored.length)}</p>}
            {ids.length > 0 && <p class="small">{t.fileReport.numbered([...new Set(ids)].join(', '))}</p>}
            {report.kind === 'stored' && <Undo t={t} undo={report.undo} />}
          </div>
          {notChecked.map((what) => (
            <p class="problem">{t.fileReport.notChecked[what]}</p>
          ))}
          {repeated !== undefined && <Repeated t={t} {...repeated} />}
          {changes !== undefined && <FileChanges t={t} changes={changes} />}
          {warnings !== undefined && <FileWarnings t={t} {...warnings} isStored={report.kind === 'stored'} />}
        </>
      );
    }
  }
}

/** The undo file, in the page itself: nothing of a study is kept on the server. */
function Undo({ t, undo }: { readonly t: Texts; readonly undo: string | undefined }) {
  if (undo === undefined) return <></>;
  const { undo: words, undoNote } = t.fileReport;
  const href = `data:application/octet-stream;base64,${Buffer.from(undo).toString('base64')}`;
  return (
    <p class="small">
      <a href={href} download="import.undo">
        {words}
      </a>
      . {undoNote}
    </p>
  );
}

/** The rows for which an earlier row of the file is, too. */
function Repeated({ t, count, rows = [] }: RepeatedRows & { readonly t: Texts }) {
  const { repeated, repeatedRow } = t.fileReport;
  const shown = rows.slice(0, MAX_ROWS_NAMED).map(({ line, record }) => repeatedRow(line, record));
  return <p class="problem">{repeated(count, shown.join(', ') + (count > shown.length ? ', …' : ''))}</p>;
}

const MAX_ROWS_NAMED = 10;

/** Why a file cannot be read, or what the form asks for that it does not have. */
function Unreadable({ t, error }: { readonly t: Texts; readonly error: CrfError }) {
  if (error instanceof MalformedRequestError && error.rule !== undefined)
    return <>{t.fileReport.unreadable(error.place, saidIn(t.sentences, error.rule))}</>;
  const isKnown = error.errors.length > 0 && error.errors.every(({ code }) => code !== undefined);
  return isKnown ? <Problems t={t} problems={error.errors} /> : <span lang="en">{error.message}</span>;
}

function Problems({ t, problems }: { readonly t: Texts; readonly problems: readonly FieldProblem[] }) {
  return (
    <>
      {problems.map((problem) => (
        <span class="line">
          {t.fileReport.parts[problem.field] ?? problem.field} <Rule t={t} {...problem} />.
        </span>
      ))}
    </>
  );
}

function interruptionOf(t: Texts, error: ImportInterruptedError): string {
  const { stored, resumeFrom } = error;
  return error instanceof ImportIncompleteError
    ? t.fileReport.miscounted(error.sent, error.counted, resumeFrom + 1, stored)
    : t.fileReport.interrupted(stored, resumeFrom + 1);
}

/** The warnings of a file that is valid or stored, if there are any. */
function warningsOf(report: FileReport | undefined): ImportWarningList | undefined {
  return report?.kind === 'valid' || report?.kind === 'stored' ? report.outcome.warnings : undefined;
}

function hasChanges(report: FileReport | undefined): boolean {
  return report?.kind === 'valid' && (report.outcome.changes?.first.length ?? 0) > 0;
}
