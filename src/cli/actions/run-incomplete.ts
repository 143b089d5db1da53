import { openRowBody } from '../../records/formats/row-body.js';
import { openStudy } from '../../server/open-study.js';
import type { ListFilter } from '../../services/summary/list-filter.js';
import { LIST_COLUMNS, StudyLists } from '../../services/summary/study-lists.js';
import type { IncompleteArguments } from '../commands/incomplete.js';
import type { ExitCode } from '../exit-codes.js';
import { writeReport } from '../files/write-report.js';
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
        for await (const line of (await listsOf(opened)).forms(filter, { signal }))
          yield { ...line, cells: [STATUSES[line.status], line.joined] };
      },
    });
  return writeReport(
    { ...options, format: 'csv' },
    {
      row: 'form',
      open: async (opened, signal, onRows) => {
        const link = await recordLinks(opened.client, opened.settings, signal);
        const lists = await listsOf(opened);
        return openRowBody(
          async function* (call) {
            for await (const line of lists.forms(filter, call))
              yield { ...line, ...(link && { link: link(line.record, line.event) }) };
          },
          {
            format: 'csv',
            columns: [...LIST_COLUMNS.forms, ...(link ? ['link'] : [])],
            spreadsheetSafe: true,
            onRows,
          },
          { signal },
        );
      },
    },
  ) satisfies Promise<ExitCode>;
}

async function listsOf({ client, settings }: OpenedClient): Promise<StudyLists> {
  return new StudyLists(client, await openStudy(settings));
}
