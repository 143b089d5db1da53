import type { Request, RequestHandler, Response, Router } from 'express';
import { crfOf } from '../../http/app-state.js';
import { requestState } from '../../http/request-state.js';
import { sendStreamed } from '../../http/send-streamed.js';
import type { AuditedOptions } from '../../records/audit-notes.js';
import type { StreamedAnswer } from '../../records/streaming/streamed-answer.js';
import type { CrfService } from '../../services/crf-service.js';
import { requireLogScope } from '../../services/quality/recent-changes.js';
import type { ListFilter } from '../../services/summary/list-filter.js';
import type { ListPageRequest } from '../../services/summary/list-page.js';
import { LIST_KINDS, type ListKind } from '../../services/summary/list-rows.js';
import type { VisitSentence } from '../../services/summary/visit-calendar.js';
import { pageContextOf } from '../page-context.js';
import { getPage, pageRouter } from '../page-router.js';
import { sendPage } from '../send-page.js';
import { asViewer, requireScopes, type Viewer } from '../viewer.js';
import { listFileName, readListAddress } from './list-address.js';

/**
 * Serves the lists behind the figures of the dashboard, as pages and as files, and the page of a record, for readers who
 * may read records.
 *
 * @param callLimit limits requests like calls of the API (RATE-01)
 */
export function createListRouter(callLimit: RequestHandler): Router {
  const router = pageRouter();
  const route = (
    path: string,
    run: (viewer: Viewer, request: Request, response: Response) => Promise<void>,
  ) =>
    getPage(
      router,
      path,
      callLimit,
      asViewer(async (viewer, request, response) => {
        requireScopes(request, viewer, ['records:read']);
        await run(viewer, request, response);
      }),
    );

  for (const kind of LIST_KINDS) {
    route(`/dashboard/${kind}`, async (viewer, request, response) => {
      const { lists, overview } = crfOf(request);
      const asked = await askedOf(kind, viewer, request);
      const call = callOf(viewer, request, response);
      const [page, names, title, address, { listPage }] = await Promise.all([
        lists.page(kind, asked, call),
        lists.names(call),
        overview.title(),
        overview.recordAddress(call),
        import('./list-page.js'),
      ]);
      const mayReadLog = viewer.scopes.includes('log:read');
      const view = {
        kind,
        title,
        names,
        address,
        request: asked,
        page,
        mayReadLog,
        today: await lists.day(),
      };
      sendPage(response, listPage(pageContextOf(request), view));
    });
    route(`/dashboard/${kind}.csv`, (viewer, request, response) => {
      const call = callOf(viewer, request, response);
      return sendFile(viewer, request, kind, 'csv', (lists, asked) => lists.open(kind, asked, call));
    });
  }
  route('/dashboard/due.ics', (viewer, request, response) => {
    const call = callOf(viewer, request, response);
    const { t } = pageContextOf(request);
    const sentence: VisitSentence = (day, forms) => t.lists.visit(t.date(day), forms.join(', '));
    return sendFile(viewer, request, 'due', 'ics', (lists, asked) =>
      lists.openCalendar(sentence, asked, call),
    );
  });
  route('/dashboard/records/:record', async (viewer, request, response) => {
    const { lists, overview, recordSheets } = crfOf(request);
    const { record = '' } = request.params as Record<string, string>;
    const call = callOf(viewer, request, response);
    const mayReadFiles = viewer.scopes.includes('files:read');
    const [sheet, names, address, { recordPage }] = await Promise.all([
      recordSheets.sheetOf(record, viewer.scopes.includes('log:read'), call),
      lists.names(call),
      overview.recordAddress(call),
      import('./record-page.js'),
    ]);
    sendPage(
      response,
      recordPage(pageContextOf(request), { record, names, mayReadFiles, address, ...sheet }),
    );
  });
  return router;
}

/** Sends the file of a list under a name that says what is in it. */
async function sendFile(
  viewer: Viewer,
  request: Request,
  kind: ListKind,
  ending: string,
  open: (lists: CrfService['lists'], filter: ListFilter) => Promise<StreamedAnswer>,
): Promise<void> {
  const { lists, overview } = crfOf(request);
  const asked = await askedOf(kind, viewer, request);
  const name = listFileName(await overview.title(), kind, asked, await lists.day());
  await sendStreamed<void, StreamedAnswer>(
    request,
    () => open(lists, asked),
    (answer) => void answer.setHeader('Content-Disposition', `attachment; filename="${name}.${ending}"`),
  );
}

/** Reads what a list selects. @throws {InsufficientScopeError} by the log, which the reader may not read */
async function askedOf(kind: ListKind, viewer: Viewer, request: Request): Promise<ListPageRequest> {
  const asked = await crfOf(request).lists.inDays(readListAddress(kind, request.query));
  requireLogScope(asked.changedFrom, viewer.scopes);
  return asked;
}

/** The options of the calls for a reader, whose calls end when the reader leaves. */
function callOf({ name }: Viewer, request: Request, response: Response): AuditedOptions {
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort();
  });
  const { trace, audit } = requestState(request);
  return { signal: leaving.signal, caller: name, traceparent: trace?.traceparent, audit };
}
