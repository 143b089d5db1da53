import type { Request, RequestHandler, Response, Router } from 'express';
import { isProblem, ProblemError } from '../../domain/errors/problem-error.js';
import {
  InvalidRecordsError,
  InvalidRequestError,
  MalformedRequestError,
} from '../../domain/errors/caller-errors.js';
import { refusal } from '../../domain/errors/refusal.js';
import { ImportInterruptedError } from '../../domain/errors/upstream-errors.js';
import type { CrfError } from '../../domain/errors/crf-error.js';
import { TEXT_ENCODINGS } from '../../domain/bytes/decode-text.js';
import { DATE_ORDERS } from '../../domain/dictionary/date-orders.js';
import { unknownOption } from '../../records/import/import-request.js';
import { isWorkbookName } from '../../records/import/workbook/workbook-name.js';
import { projectKeyOf, UndoText } from '../../records/undo/undo-lines.js';
import { formFile } from '../../http/form-file.js';
import { requestState } from '../../http/request-state.js';
import { crfOf } from '../../http/app-state.js';
import { sameOrigin } from '../../http/same-origin.js';
import { pageContextOf } from '../page-context.js';
import { getPage, pageRouter, refuseMethod } from '../page-router.js';
import { sendPage } from '../send-page.js';
import { warnOfOpenChange } from '../../http/open-change.js';
import { asViewer, requireScopes, type Viewer } from '../viewer.js';
import { tryFilePage, type FileChoices, type FileReport } from './try-file-page.js';

/** Larger files should be sent with the API or the command line, which report progress. */
const LIMIT_BYTES = 10 * 1024 * 1024;

/** What a file replaces can be larger than the file: notes by a letter. More is not offered for an undo. */
const UNDO_LIMIT_BYTES = 10 * 1024 * 1024;

/** The values of the options of an import that the form has. The name of a sheet is any text. */
const CHOICES: ReadonlyMap<string, readonly unknown[]> = new Map(
  Object.entries({
    limits: ['warn', 'refuse'],
    keepMisfits: [true, false],
    forceAutoNumber: [true, false],
    dateFormat: DATE_ORDERS,
    century: [1900, 2000],
    decimalCharacter: ['.', ','],
    encoding: TEXT_ENCODINGS,
    sheet: [],
    rawOrLabel: ['raw', 'label'],
    rawOrLabelHeaders: ['raw', 'label'],
  } satisfies Required<{ [Name in keyof FileChoices]: readonly FileChoices[Name][] }>),
);

/**
 * Serves a page that checks a CSV file or a workbook, and stores it for people who may write records.
 *
 * @param callLimit limits requests like calls of the API (RATE-01)
 */
export function createTryFileRouter(callLimit: RequestHandler): Router {
  const router = pageRouter();
  router
    .route('/try-file')
    .get(
      callLimit,
      asViewer((viewer, request, response) => send(request, response, viewer)),
    )
    .post(
      sameOrigin,
      callLimit,
      asViewer(async (viewer, request, response) => {
        const isStored = request.query['store'] === 'yes';
        if (isStored) {
          requireScopes(request, viewer, ['records:write']);
          warnOfOpenChange(request, viewer, ['records:write']);
        }
        send(request, response, viewer, await tried(request, viewer, isStored));
      }),
    )
    .all(refuseMethod('GET', 'HEAD', 'POST'));
  getPage(
    router,
    '/try-file/example.csv',
    callLimit,
    asViewer(async (viewer, request, response) => {
      const example = await crfOf(request).documents.exampleFile({ caller: viewer.name });
      response
        .setHeader('Content-Type', 'text/csv; charset=utf-8')
        .setHeader('Content-Disposition', 'attachment; filename="example-with-mistakes.csv"')
        .end(example);
    }),
  );
  return router;
}

/** What the form said, and what became of its file. */
interface TriedFile {
  readonly choices?: FileChoices;
  readonly report?: FileReport;
}

function send(request: Request, response: Response, viewer: Viewer, tried: TriedFile = {}): void {
  const page = tryFilePage(pageContextOf(request), { ...tried, mayStore: mayStore(viewer) });
  sendPage(response, page, { status: statusOf(tried.report), hasScripts: true });
}

function statusOf(report: FileReport | undefined): number {
  if (report === undefined || report.kind === 'valid' || report.kind === 'stored') return 200;
  return report.kind === 'interrupted' ? 502 : 422;
}

async function tried(request: Request, viewer: Viewer, isStored: boolean): Promise<TriedFile> {
  const { writer, pace, project } = crfOf(request);
  const { audit } = requestState(request);
  const undo = new UndoText(UNDO_LIMIT_BYTES);
  const undoFile = async (isComplete: boolean): Promise<string | undefined> =>
    undo.hasSteps
      ? undo.textFor(projectKeyOf(await project.getInfo({ caller: viewer.name })), isComplete)
      : undefined;
  let choices: FileChoices = {};
  try {
    if (Number(request.headers['content-length'] ?? 0) > LIMIT_BYTES)
      throw new ProblemError('payload_too_large', { limitBytes: LIMIT_BYTES });
    const form = await formFile(request, { maxFields: CHOICES.size + 1, limitBytes: LIMIT_BYTES, pace });
    choices = choicesOf(form.fields);
    const mayReadRecords = viewer.scopes.includes('records:read');
    const isWorkbook = isWorkbookName(form.name);
    const outcome = await writer.write(
      form.file,
      {
        ...choices,
        // The form always says an encoding, which a workbook does not have.
        ...(isWorkbook ? { format: 'xlsx', encoding: undefined } : { format: 'csv' }),
        dryRun: !isStored,
        ...(isStored && choices.forceAutoNumber && { returnContent: 'auto_ids' as const }),
        changes: !isStored && mayReadRecords && !choices.forceAutoNumber,
        inputName: 'file',
      },
      { scope: viewer.name },
      {
        caller: viewer.name,
        mayReadRecords,
        mayStore: mayStore(viewer),
        audit,
        ...(isStored && !choices.forceAutoNumber && { journal: undo }),
      },
    );
    if (!isStored) return { choices, report: { kind: 'valid', outcome } };
    return { choices, report: { kind: 'stored', outcome, undo: await undoFile(true) } };
  } catch (error) {
    const report = reportOf(error);
    return {
      choices,
      report: report.kind === 'interrupted' ? { ...report, undo: await undoFile(false) } : report,
    };
  }
}

/** @throws {InvalidRequestError} the form has something else, or another value than the page offers */
function choicesOf(fields: ReadonlyMap<string, string>): FileChoices {
  const chosen = [...fields].flatMap(([name, text]): [string, unknown][] => {
    const allowed = CHOICES.get(name);
    if (allowed === undefined) throw unknownOption(name);
    if (text === '') return []; // as it is without the choice
    const value = name === 'sheet' ? text : allowed.find((each) => String(each) === text);
    if (value === undefined) throw refusal(name, `must be one of ${allowed.join(', ')}`);
    return [[name, value]];
  });
  return Object.fromEntries(chosen); // each value is one of its name
}

/** @throws the error, if it does not concern the file */
function reportOf(error: unknown): FileReport {
  if (error instanceof InvalidRecordsError)
    return { kind: 'faulty', problems: error.errors, total: error.total };
  if (error instanceof ImportInterruptedError) return { kind: 'interrupted', error };
  if (isProblem(error, 'payload_too_large')) return { kind: 'tooLarge' };
  if (!isAboutFile(error)) throw error;
  return hasNoRows(error) ? { kind: 'noRows' } : { kind: 'unreadable', error };
}

function isAboutFile(error: unknown): error is CrfError {
  return error instanceof InvalidRequestError || error instanceof MalformedRequestError;
}

/** Whether the file has no rows. The name `records` in that error means nothing to the sender of a CSV file. */
function hasNoRows(error: CrfError): boolean {
  return error instanceof InvalidRequestError && error.errors.some(({ field }) => field === 'records');
}

function mayStore({ scopes }: Viewer): boolean {
  return scopes.includes('records:write');
}
