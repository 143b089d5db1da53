import { firstRows } from '../../records/export/page-query.js';
import { openRowBody } from '../../records/formats/row-body.js';
import { openStudy } from '../../server/open-study.js';
import type { ListFilter } from '../../services/summary/list-filter.js';
import { NOT_COMPLETE } from '../../services/summary/listed-forms.js';
import { cellsOf, LIST_COLUMNS, type ListKind } from '../../services/summary/list-rows.js';
import { StudyLists } from '../../services/summary/study-lists.js';
import type { ExitCode } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { type Report, type ReportArguments, writeReport } from '../files/write-report.js';
import type { Io } from '../io.js';
import {
  byDagOption,
  checkList,
  formFilterOptions,
  LIST_COMBINATIONS,
  listForm,
  listOptions,
} from '../options/list-options.js';
import { choice, text } from '../options/option.js';
import { recordLinks, writeDagWorkbooks } from './dag-workbooks.js';

const STATUSES = { notBegun: 'not begun', incomplete: 'incomplete', unverified: 'unverified', complete: '' };

export const command = defineCommand({
  args: {
    ...formFilterOptions,
    instrument: text('Only this instrument'),
    status: choice('Only forms of this status; default: all of them', NOT_COMPLETE),
    'by-dag': byDagOption,
    ...listOptions('document', 'csv'),
  },
  examples: {
    '$0 incomplete --by-dag to-do': 'What each data access group has still to do, a workbook for each',
    '$0 incomplete --dag le_havre -o le_havre.csv': 'One data access group, as CSV',
  },
  epilogue:
    'The list is that of the dashboard: a form is expected where its event is, unless the plan of the study says that it is optional. Each line of CSV has the address of the record in REDCap, except on a sandbox; JSON has the forms as GET /api/v1/project/incomplete has them.',
  combinations: LIST_COMBINATIONS,
  check: (values) => checkList(values),
  run: ({ byDag, dag, arm, instrument, event, from, until, status, ...options }, io) => {
    const statuses = status === undefined ? NOT_COMPLETE : [status];
    const filter: ListFilter = { dag, arm, instrument, event, from, until, statuses };
    if (byDag === undefined) return writeList(options, { kind: 'forms', row: 'form', filter }, io);
    return writeDagWorkbooks({ ...options, folder: byDag }, io, {
      name: 'Incomplete forms',
      columns: ['Status', 'Joined'],
      lines: async function* ({ client, settings }, signal) {
        const lists = new StudyLists(client, await openStudy(settings));
        for await (const line of lists.rows('forms', filter, { signal }))
          yield { ...line, cells: [STATUSES[line.status], line.joined] };
      },
    });
  },
});

/** Writes a list of the dashboard: by default as CSV, with the address of each record in REDCap, because people open it. */
export function writeList(
  options: Omit<ReportArguments, 'format'> & Parameters<typeof listForm>[0],
  { kind, row, filter }: { readonly kind: ListKind; readonly row: string; readonly filter: ListFilter },
  io: Io,
): Promise<ExitCode> {
  const { limit, ...form } = listForm(options, 'csv');
  const { format } = form;
  const open: Report['open'] = async ({ client, settings }, signal, onRows) => {
    const study = await openStudy(settings);
    if (kind === 'due' && study.schedule === undefined)
      io.stderr.write(
        'The study has no schedule: STUDY_FILE names a file that says when each visit is expected (docs/dashboard.md).\n',
      );
    const link = format === 'csv' ? await recordLinks(client, settings, signal) : undefined;
    const lists = new StudyLists(client, study);
    return openRowBody(
      async function* (call) {
        for await (const line of cellsOf(firstRows(lists.rows(kind, filter, call), limit), format))
          yield { ...line, ...(link && { link: link(String(line['record']), String(line['event'])) }) };
      },
      {
        ...form,
        columns: [...LIST_COLUMNS[kind], ...(link ? ['link'] : [])],
        onRows,
      },
      { signal },
    );
  };
  return writeReport({ ...options, format }, io, { row, open });
}
