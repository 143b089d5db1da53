import { armOf } from '../../services/summary/form-counts.js';
import type { ListNames } from '../../services/summary/study-lists.js';
import {
  MOST_PAGES,
  PAGE_ROWS,
  type ListPage,
  type ListPageRequest,
} from '../../services/summary/list-page.js';
import {
  LIST_COLUMNS,
  type ListColumn,
  type ListKind,
  type ListRow,
} from '../../services/summary/list-rows.js';
import { saidIn } from '../../domain/errors/sentences.js';
import { VISIT_STATES, type VisitState } from '../../services/summary/due-visits.js';
import type { RecordAddress } from '../../services/project-overview.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import type { Worded } from '../parts.js';
import { Table, type Column } from '../table.js';
import { FilterForm, type FilterView } from './filter-form.js';
import { listAddress } from './list-address.js';
import type { Texts } from '../texts/texts.js';
import type { Child } from 'hono/jsx';

export interface ListView extends FilterView {
  readonly title: string;
  /** Where records are in REDCap; undefined if that is not known. */
  readonly address: RecordAddress | undefined;
  readonly page: ListPage;
  /** The day of the list, `YYYY-MM-DD`. */
  readonly today: string;
}

/** A list in the language of its reader. */
type ListProps = Worded<ListView>;

/** Renders a list of records or forms: its filter, its rows, and its file. */
export function listPage(context: PageContext, shown: ListView): string {
  const { t } = context;
  const { kinds, download, calendar } = t.lists;
  const view = { t, ...shown };
  const { kind, request, page } = view;
  const { total } = page;
  const isPlanned = kind !== 'due' || view.names.hasSchedule;
  const whole = { ...request, sort: undefined, page: undefined };
  return renderPage({
    title: kinds[kind].title,
    context,
    isWide: true,
    lead: <strong>{view.title}</strong>,
    children: (
      <>
        {kind === 'due' && <Schedule {...view} />}
        {isPlanned && <FilterForm {...view} />}
        <p class="tools" role="status">
          {isPlanned && <strong>{total === 0 ? kinds[kind].none : kinds[kind].count(total)}</strong>}
          {total > 0 && (
            <a href={listAddress(kind, whole, '.csv')} download>
              {download}
            </a>
          )}
          {total > 0 && kind === 'due' && (
            <a href={listAddress(kind, whole, '.ics')} download>
              {calendar}
            </a>
          )}
          <a href="/dashboard">{t.frame.dashboard}</a>
        </p>
        {total > 0 && <ListTable {...view} />}
        <Pages {...view} />
      </>
    ),
  });
}

/** What the list of visits is made from, and how many visits there are by data access group. */
function Schedule({ t, names, request, page: { visitsByDag }, today }: ListProps) {
  const { notPlanned } = names;
  if (!names.hasSchedule) return <p>{t.lists.noSchedule}</p>;
  const dags = [...visitsByDag].sort(([one], [other]) => one.localeCompare(other, 'en'));
  const to = (dag: string, state: VisitState): string =>
    listAddress('due', { ...request, dag, state, page: undefined });
  return (
    <>
      <p class="quiet small">{t.lists.asOf(t.date(today))}</p>
      {notPlanned.length > 0 && <p class="problem">{t.lists.notPlanned}</p>}
      {dags.length > 0 && (
        <Table
          label={t.lists.visitsByDag}
          columns={[
            t.lists.columns.dag,
            ...VISIT_STATES.map((state) => ({ name: t.study.visitStates[state], kind: 'number' as const })),
          ]}
          rows={dags.map(([dag, counts]) => [
            dagOf(t, dag, names),
            ...VISIT_STATES.map((state) =>
              counts[state] === 0 ? 0 : <a href={to(dag, state)}>{t.number(counts[state])}</a>,
            ),
          ])}
        />
      )}
    </>
  );
}

function dagOf(t: Texts, dag: string, { dags }: ListNames): string {
  return dag === '' ? t.study.noDag : (dags.get(dag) ?? dag);
}

function ListTable({ t, kind, names, address, request, page: { rows, total } }: ListProps) {
  const { dags, events } = names;
  const isEmpty: Partial<Record<ListColumn, boolean>> = {
    dag: dags.size === 0 && rows.every(({ dag }) => dag === ''),
    event: events.size === 0,
    instance: rows.every(({ instance }) => instance === null),
  };
  const columns = LIST_COLUMNS[kind].filter((column) => isEmpty[column] !== true);
  const before = PAGE_ROWS * ((request.page ?? 1) - 1);
  return (
    <Table
      label={t.lists.label}
      caption={
        total > rows.length ? t.lists.rows(before + 1, before + rows.length, total) : t.lists.allRows(total)
      }
      columns={columns.map((column) => columnOf(t, kind, column, request))}
      rows={rows.map((row) =>
        columns.map((column) =>
          column === 'record' && row.record !== '' ? (
            <RecordLinks t={t} row={row} address={address} />
          ) : (
            cellOf(t, row, column, names)
          ),
        ),
      )}
      total={total}
    />
  );
}

/** The page of a record, and its page in REDCap if that is known. */
function RecordLinks({
  t,
  row: { record, event },
  address,
}: { readonly row: ListRow } & Pick<ListProps, 't' | 'address'>) {
  return (
    <>
      <a href={`/dashboard/records/${encodeURIComponent(record)}`}>{record}</a>
      {address !== undefined && (
        <>
          {' '}
          <a
            class="quiet small"
            href={address(record, Number(armOf(event ?? '') || 1))}
            aria-label={t.lists.inRedcap(record)}
          >
            REDCap
          </a>
        </>
      )}
    </>
  );
}

/** A column whose head sorts the list by it; once more, the other way round. */
function columnOf(t: Texts, kind: ListKind, column: ListColumn, request: ListPageRequest): Column {
  const isSorted = request.sort === column;
  const isDescending = isSorted && request.isDescending !== true;
  const name = t.lists.columns[column];
  return {
    name,
    head: <a href={listAddress(kind, { ...request, sort: column, isDescending, page: undefined })}>{name}</a>,
    sort: isSorted ? (request.isDescending === true ? 'descending' : 'ascending') : undefined,
  };
}

function cellOf(t: Texts, row: ListRow, column: ListColumn, names: ListNames): Child {
  switch (column) {
    case 'dag':
      return names.dags.get(row.dag) ?? row.dag;
    case 'state':
      return row.state === undefined ? '' : t.study.visitStates[row.state];
    case 'instruments':
      return (row.instruments ?? []).map((form) => names.forms.get(form) ?? form).join(', ');
    case 'event':
      return names.events.get(row.event ?? '') ?? row.event ?? '';
    case 'instrument':
      return names.forms.get(row.instrument ?? '') ?? row.instrument ?? '';
    case 'rule':
      return row.rule === undefined ? '' : t.study.rules[row.rule];
    case 'status':
      return row.status === undefined ? '' : t.study.statuses[row.status];
    case 'joined':
    case 'day':
    case 'opens':
    case 'closes':
      return row[column] && <time datetime={row[column]}>{t.date(row[column])}</time>;
    case 'message':
      return row.code === undefined
        ? ''
        : saidIn(t.sentences, { code: row.code, parameters: row.parameters ?? {} });
    default:
      return String(row[column] ?? '');
  }
}

function Pages({ t, kind, request, page: { total } }: ListProps) {
  const here = request.page ?? 1;
  const last = Math.ceil(total / PAGE_ROWS);
  if (last < 2) return null;
  const to = (page: number): string => listAddress(kind, { ...request, page });
  return (
    <nav aria-label={t.lists.pages} class="tools">
      {here > 1 && (
        <a rel="prev" href={to(here - 1)}>
          {t.lists.previous}
        </a>
      )}
      <span>{t.lists.page(here, last)}</span>
      {here < Math.min(last, MOST_PAGES) && (
        <a rel="next" href={to(here + 1)}>
          {t.lists.next}
        </a>
      )}
    </nav>
  );
}
