import { openRowBody } from '../../records/formats/row-body.js';
import { openStudy } from '../../server/open-study.js';
import type { ListFilter } from '../../services/summary/list-filter.js';
import { cellsOf, LIST_COLUMNS, type ListKind } from '../../services/summary/list-rows.js';
import { StudyLists } from '../../services/summary/study-lists.js';
import type { DueArguments } from './due.js';
import type { IncompleteArguments } from './incomplete.js';
import { UsageError } from '../cli-error.js';
import type { ExitCode } from '../exit-codes.js';
import { writeReport, type ReportArguments } from '../files/write-report.js';
import type { OpenedClient } from '../open-client.js';
import { recordLinks, writeSiteWorkbooks } from './site-workbooks.js';

const STATUSES = { notBegun: 'not begun', incomplete: 'incomplete', unverified: 'unverified', complete: '' };

/** Lists the forms that are not complete or not begun. @returns the exit code */
export async function runIncomplete({ bySite, group, form, event, ...options }: IncompleteArguments) {
  const filter: ListFilter = {
    site: group,
    form,
    event,
    statuses: ['incomplete', 'unverified', 'notBegun'],
  };
  if (bySite !== undefined)
    return writeSiteWorkbooks(options, bySite, {
      name: 'Incomplete forms',
      columns: ['Status', 'Joined'],
      lines: async function* (opened, signal) {
        for await (const line of (await listsOf(opened)).rows('forms', filter, { signal }))
          yield { ...line, cells: [STATUSES[line.status], line.joined] };
      },
    });
  return writeList({ ...options, format: 'csv' }, 'forms', 'form', filter);
}

/** Lists the visits that are due. @returns the exit code */
export async function runDue(due: DueArguments): Promise<ExitCode> {
  const { group, form, event, state, json, ...options } = due;
  const format = json ? 'json' : 'csv';
  return writeList({ ...options, format }, 'due', 'visit', { site: group, form, event, state });
}

/** Writes a list of the dashboard; as CSV with the address of each record in REDCap, because people open it. */
function writeList(
  options: ReportArguments,
  kind: ListKind,
  row: string,
  filter: ListFilter,
): Promise<ExitCode> {
  const { format } = options;
  return writeReport(options, {
    row,
    open: async (opened, signal, onRows) => {
      const study = await openStudy(opened.settings);
      if (kind === 'due' && study.schedule === undefined)
        throw new UsageError(
          'The study has no schedule: STUDY_FILE names a file that says when each visit is expected (docs/dashboard.md).',
        );
      const isCsv = format === 'csv';
      const link = isCsv ? await recordLinks(opened.client, opened.settings, signal) : undefined;
      const lists = new StudyLists(opened.client, study);
      return openRowBody(
        async function* (call) {
          for await (const line of cellsOf(lists.rows(kind, filter, call), format))
            yield { ...line, ...(link && { link: link(String(line['record']), String(line['event'])) }) };
        },
        {
          format,
          hasEnvelope: false,
          columns: [...LIST_COLUMNS[kind], ...(link ? ['link'] : [])],
          spreadsheetSafe: isCsv,
          onRows,
        },
        { signal },
      );
    },
  });
}

async function listsOf({ client, settings }: OpenedClient): Promise<StudyLists> {
  return new StudyLists(client, await openStudy(settings));
}
