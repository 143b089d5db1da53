import type { ReadLogEntry } from '../../services/logs/log-reader.js';
import type { ListColumn, ListKind } from '../../services/summary/list-rows.js';
import { ENGLISH } from './in-language.js';

const { counted, number } = ENGLISH;

interface KindOfList {
  readonly title: string;
  readonly none: string;
  readonly count: (count: number) => string;
}

/** The English texts of the filters, of the lists behind the figures, and of the page of a record. */
export const listTexts = {
  filter: {
    form: 'Form',
    when: 'When',
    rule: 'Rule',
    status: 'Status',
    record: 'Record contains',
    show: 'Show',
    site: 'Site',
    arm: 'Arm',
    event: 'Event',
    changedSince: 'Entered or changed since',
    from: 'Joined from',
    to: 'Joined until',
    all: 'All',
    partOfStudy: 'Part of the study',
    apply: 'Apply',
    wholeStudy: 'The whole study',
  },

  lists: {
    kinds: {
      forms: {
        title: 'Forms',
        none: 'No forms match',
        count: (count) => counted(count, 'form', 'forms'),
      },
      records: {
        title: 'Records',
        none: 'No records match',
        count: (count) => counted(count, 'record', 'records'),
      },
      due: {
        title: 'Who is due',
        none: 'No visits match',
        count: (count) => counted(count, 'visit', 'visits'),
      },
      findings: {
        title: 'Findings',
        none: 'No findings match',
        count: (count) => counted(count, 'finding', 'findings'),
      },
    } satisfies Record<ListKind, KindOfList>,
    columns: {
      record: 'Record',
      site: 'Site',
      event: 'Event',
      form: 'Form',
      instance: 'Instance',
      status: 'Status',
      joined: 'Joined',
      state: 'When',
      day: 'Planned for',
      opens: 'From',
      closes: 'Until',
      missing: 'Not begun',
      field: 'Field',
      rule: 'Rule',
      message: 'Finding',
    } satisfies Record<ListColumn, string>,
    download: 'Download (CSV)',
    calendar: 'Calendar (.ics)',
    visit: (day: string, forms: string) => `Planned for ${day}. Not begun: ${forms}.`,
    noSchedule: (
      <>
        No visit is planned: whoever runs this service can say in the file of the study (
        <code>STUDY_FILE</code>) on which day after which date each event is expected.
      </>
    ),
    asOf: (today: string) =>
      `Visits of which a form has not begun, as of ${today}. A visit is overdue after the last day of its window.`,
    notPlanned:
      'The plan of the study names a date or an event that is not here, so that visits are missing from this list. Whoever runs this service can tell.',
    visitsBySite: 'Visits by site',
    label: 'The list',
    rows: (first: number, last: number, total: number) =>
      `Rows ${number(first)} to ${number(last)} of ${number(total)}`,
    allRows: (total: number) => `All ${counted(total, 'row', 'rows')}`,
    inRedcap: (record: string) => `${record} in REDCap`,
    pages: 'Pages of the list',
    previous: 'Previous page',
    page: (page: number, pages: number) => `Page ${number(page)} of ${number(pages)}`,
    next: 'Next page',
  },

  record: {
    title: (record: string) => `Record ${record}`,
    joined: (date: string) => `joined ${date}`,
    all: 'All records',
    inRedcap: 'This record in REDCap',
    forms: { title: 'Forms', label: 'Forms by event', form: 'Form', status: 'Status' },
    findings: { none: 'No findings', label: 'Findings of the quality rules' },
    values: {
      title: 'Values',
      of: (form: string) => `Values of ${form}`,
      none: 'No field of this form has a value.',
      field: 'Field',
      value: 'Value',
      yes: 'Yes',
      no: 'No',
      missing: (code: string) => `missing (${code})`,
    },
    log: {
      title: 'What happened',
      none: 'The log has no entry of this record.',
      label: 'The log of the record, without values',
      time: 'Time',
      timesOfServer: 'Times are those of REDCap’s server, whose time zone is not known here.',
      user: 'User',
      what: 'What',
      event: 'Event',
      kinds: {
        record_created: 'record created',
        record_updated: 'record updated',
        record_deleted: 'record deleted',
        record_locked: 'record locked',
        record_signed: 'record signed',
        record_randomized: 'record randomized',
        file_uploaded: 'file uploaded',
        file_downloaded: 'file downloaded',
        file_deleted: 'file deleted',
        data_exported: 'data exported',
        user_changed: 'user changed',
        page_viewed: 'page viewed',
        design_or_management: 'design or management',
        other: 'other',
      } satisfies Record<ReadLogEntry['kind'], string>,
    },
  },
};
