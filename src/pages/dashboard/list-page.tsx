import {
  MOST_PAGES,
  PAGE_ROWS,
  type ListNames,
  type ListPage,
  type ListPageRequest,
} from '../../services/summary/study-lists.js';
import {
  LIST_COLUMNS,
  type ListColumn,
  type ListKind,
  type ListRow,
} from '../../services/summary/list-rows.js';
import { VISIT_STATES, type VisitState } from '../../services/summary/due-visits.js';
import type { RecordAddress } from '../../services/project-overview.js';
import { inEnglish, type PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { Table, type Column } from '../table.js';
import { FilterForm } from './filter-form.js';
import { armOf, STATUSES, VISIT_LABELS } from './form-statuses.js';
import { counted, numberInWords } from './in-words.js';
import { listAddress } from './list-address.js';
import { QUALITY_LABELS } from './quality-plot.js';

export interface ListView {
  readonly kind: ListKind;
  readonly title: string;
  readonly names: ListNames;
  /** Where records are in REDCap; undefined if that is not known. */
  readonly address: RecordAddress | undefined;
  readonly request: ListPageRequest;
  readonly page: ListPage;
  /** The day of the list, `YYYY-MM-DD`. */
  readonly today: string;
}

const HEADINGS: Readonly<Record<ListColumn, string>> = {
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
};

/** The title of each list, and what it counts. */
const KINDS: Readonly<Record<ListKind, { readonly title: string; readonly one: string }>> = {
  forms: { title: 'Forms', one: 'form' },
  records: { title: 'Records', one: 'record' },
  due: { title: 'Who is due', one: 'visit' },
  findings: { title: 'Findings', one: 'finding' },
};

/** Renders a list of records or forms: its filter, its rows, and its file. */
export function listPage(context: PageContext, view: ListView): string {
  const { kind, request, page } = view;
  const { total } = page;
  const whole = { ...request, sort: undefined, page: undefined };
  return renderPage({
    title: KINDS[kind].title,
    context: inEnglish(context),
    isWide: true,
    lead: <strong>{view.title}</strong>,
    children: (
      <>
        {kind === 'due' && <Schedule {...view} />}
        <FilterForm {...view} />
        <p class="tools" role="status">
          <strong>{total === 0 ? `No ${KINDS[kind].one}s match` : counted(total, KINDS[kind].one)}</strong>
          {total > 0 && (
            <a href={listAddress(kind, whole, '.csv')} download>
              Download (CSV)
            </a>
          )}
          {total > 0 && kind === 'due' && (
            <a href={listAddress(kind, whole, '.ics')} download>
              Calendar (.ics)
            </a>
          )}
          <a href="/dashboard">Dashboard</a>
        </p>
        {total > 0 && <ListTable {...view} />}
        <Pages {...view} />
      </>
    ),
  });
}

/** What the list of visits is made from, and how many visits there are by site. */
function Schedule({ names, request, page: { visitsBySite }, today }: ListView) {
  const { notPlanned } = names;
  if (!names.hasSchedule)
    return (
      <p>
        No visit is planned: whoever runs this service can say in the file of the study (
        <code>STUDY_FILE</code>) on which day after which date each event is expected.
      </p>
    );
  const sites = [...visitsBySite].sort(([one], [other]) => one.localeCompare(other, 'en'));
  const to = (site: string, state: VisitState): string =>
    listAddress('due', { ...request, site, state, page: undefined });
  return (
    <>
      <p class="quiet small">
        Visits of which a form has not begun, as of {today}. A visit is overdue after the last day of its
        window.
      </p>
      {notPlanned.length > 0 && (
        <p class="problem">
          The plan of the study names a date or an event that is not here, so that visits are missing from
          this list. Whoever runs this service can tell.
        </p>
      )}
      {sites.length > 0 && (
        <Table
          label="Visits by site"
          columns={[
            'Site',
            ...VISIT_STATES.map((state) => ({ name: VISIT_LABELS[state], kind: 'number' as const })),
          ]}
          rows={sites.map(([site, counts]) => [
            siteOf(site, names),
            ...VISIT_STATES.map((state) =>
              counts[state] === 0 ? 0 : <a href={to(site, state)}>{numberInWords(counts[state])}</a>,
            ),
          ])}
        />
      )}
    </>
  );
}

function siteOf(site: string, { sites }: ListNames): string {
  return site === '' ? 'No group' : (sites.get(site) ?? site);
}

function ListTable({ kind, names, address, request, page: { rows, total } }: ListView) {
  const { sites, events } = names;
  const isEmpty: Partial<Record<ListColumn, boolean>> = {
    site: sites.size === 0 && rows.every(({ site }) => site === ''),
    event: events.size === 0,
    instance: rows.every(({ instance }) => instance === null),
  };
  const columns = LIST_COLUMNS[kind].filter((column) => isEmpty[column] !== true);
  const before = PAGE_ROWS * ((request.page ?? 1) - 1);
  return (
    <Table
      label="The list"
      caption={
        total > rows.length
          ? `Rows ${numberInWords(before + 1)} to ${numberInWords(before + rows.length)} of ${numberInWords(total)}`
          : `All ${counted(total, 'row')}`
      }
      columns={columns.map((column) => columnOf(kind, column, request))}
      rows={rows.map((row) =>
        columns.map((column) =>
          column === 'record' && row.record !== '' ? (
            <RecordLinks row={row} address={address} />
          ) : (
            cellOf(row, column, names)
          ),
        ),
      )}
      total={total}
    />
  );
}

/** The page of a record, and its page in REDCap if that is known. */
function RecordLinks({
  row: { record, event },
  address,
}: { readonly row: ListRow } & Pick<ListView, 'address'>) {
  return (
    <>
      <a href={`/dashboard/records/${encodeURIComponent(record)}`}>{record}</a>
      {address !== undefined && (
        <>
          {' '}
          <a
            class="quiet small"
            href={address(record, Number(armOf(event ?? '') || 1))}
            aria-label={`${record} in REDCap`}
          >
            REDCap
          </a>
        </>
      )}
    </>
  );
}

/** A column whose head sorts the list by it; once more, the other way round. */
function columnOf(kind: ListKind, column: ListColumn, request: ListPageRequest): Column {
  const isSorted = request.sort === column;
  const isDescending = isSorted && request.isDescending !== true;
  const name = HEADINGS[column];
  return {
    name,
    head: <a href={listAddress(kind, { ...request, sort: column, isDescending, page: undefined })}>{name}</a>,
    sort: isSorted ? (request.isDescending === true ? 'descending' : 'ascending') : undefined,
  };
}

function cellOf(row: ListRow, column: ListColumn, names: ListNames): string {
  switch (column) {
    case 'site':
      return names.sites.get(row.site) ?? row.site;
    case 'state':
      return row.state === undefined ? '' : VISIT_LABELS[row.state];
    case 'missing':
      return (row.missing ?? []).map((form) => names.forms.get(form) ?? form).join(', ');
    case 'event':
      return names.events.get(row.event ?? '') ?? row.event ?? '';
    case 'form':
      return names.forms.get(row.form ?? '') ?? row.form ?? '';
    case 'rule':
      return row.rule === undefined ? '' : QUALITY_LABELS[row.rule];
    case 'status':
      return STATUSES.find(({ key }) => key === row.status)?.label ?? '';
    default:
      return String(row[column] ?? '');
  }
}

function Pages({ kind, request, page: { total } }: ListView) {
  const here = request.page ?? 1;
  const last = Math.ceil(total / PAGE_ROWS);
  if (last < 2) return null;
  const to = (page: number): string => listAddress(kind, { ...request, page });
  return (
    <nav aria-label="Pages of the list" class="tools">
      {here > 1 && (
        <a rel="prev" href={to(here - 1)}>
          Previous page
        </a>
      )}
      <span>
        Page {numberInWords(here)} of {numberInWords(last)}
      </span>
      {here < Math.min(last, MOST_PAGES) && (
        <a rel="next" href={to(here + 1)}>
          Next page
        </a>
      )}
    </nav>
  );
}
