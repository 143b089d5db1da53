import {
  LIST_COLUMNS,
  MOST_PAGES,
  PAGE_ROWS,
  type ListColumn,
  type ListKind,
  type ListNames,
  type ListPage,
  type ListPageRequest,
  type ListRow,
} from '../../services/summary/study-lists.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { STATUSES } from './form-statuses.js';
import { counted, numberInWords } from './in-words.js';
import { listAddress, NO_SITE } from './list-address.js';

export interface ListView {
  readonly kind: ListKind;
  readonly title: string;
  readonly names: ListNames;
  readonly request: ListPageRequest;
  readonly page: ListPage;
}

const HEADINGS: Readonly<Record<ListColumn, string>> = {
  record: 'Record',
  site: 'Site',
  event: 'Event',
  form: 'Form',
  instance: 'Instance',
  status: 'Status',
  joined: 'Joined',
};

/** Renders a list of records or forms: its filter, its rows, and its file. */
export function listPage(context: PageContext, view: ListView): string {
  const { kind, request, page } = view;
  const { total } = page;
  return renderPage({
    title: kind === 'forms' ? 'Forms' : 'Records',
    context,
    isWide: true,
    lead: <strong>{view.title}</strong>,
    children: (
      <>
        <FilterForm {...view} />
        <p class="tools" role="status">
          <strong>{total === 0 ? `No ${kind} match` : counted(total, kind.slice(0, -1))}</strong>
          {total > 0 && (
            <a href={listAddress(kind, { ...request, sort: undefined, page: undefined }, '.csv')} download>
              Download (CSV)
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

function FilterForm({ kind, names, request }: ListView) {
  return (
    <form class="inline filter" method="get" action={`/dashboard/${kind}`}>
      <Choice name="form" label="Form" chosen={request.form} options={[...names.forms]} />
      <Choice name="event" label="Event" chosen={request.event} options={[...names.events]} />
      {names.arms.length > 1 && (
        <Choice
          name="arm"
          label="Arm"
          chosen={request.arm?.toString()}
          options={names.arms.map((arm) => [String(arm), `Arm ${arm}`])}
        />
      )}
      <Choice
        name="site"
        label="Site"
        chosen={request.site === '' ? NO_SITE : request.site}
        options={names.sites.size === 0 ? [] : [...names.sites, [NO_SITE, 'No group']]}
      />
      {kind === 'forms' && (
        <fieldset>
          <legend>Status</legend>
          {STATUSES.map(({ key, label }) => (
            <label key={key}>
              <input
                type="checkbox"
                name="status"
                value={key}
                checked={request.statuses?.includes(key) ?? false}
              />{' '}
              {label}
            </label>
          ))}
        </fieldset>
      )}
      <div>
        <label for="from">Joined from</label>
        <input id="from" name="from" type="date" value={request.from} />
      </div>
      <div>
        <label for="to">to</label>
        <input id="to" name="to" type="date" value={request.to} />
      </div>
      <div>
        <label for="record">Record contains</label>
        <input id="record" name="record" type="search" value={request.record} autocomplete="off" />
      </div>
      <button type="submit">Show</button>
    </form>
  );
}

/** A choice among names; nothing if there are none to choose from. */
function Choice(props: {
  readonly name: string;
  readonly label: string;
  readonly chosen: string | undefined;
  readonly options: readonly (readonly [string, string])[];
}) {
  const { name, label, chosen, options } = props;
  if (options.length === 0) return null;
  return (
    <div>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">all</option>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function ListTable({ kind, names, request, page: { rows, total } }: ListView) {
  const { sites, events } = names;
  const isEmpty: Partial<Record<ListColumn, boolean>> = {
    site: sites.size === 0 && rows.every(({ site }) => site === ''),
    event: events.size === 0,
    instance: rows.every(({ instance }) => instance === null),
  };
  const columns = LIST_COLUMNS[kind].filter((column) => isEmpty[column] !== true);
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="The list">
      <table data-total={total}>
        <caption>
          {total > rows.length
            ? `Rows ${numberInWords(PAGE_ROWS * ((request.page ?? 1) - 1) + 1)} to ${numberInWords(PAGE_ROWS * ((request.page ?? 1) - 1) + rows.length)} of ${numberInWords(total)}`
            : `All ${counted(total, 'row')}`}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column} kind={kind} column={column} request={request} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) =>
                column === 'record' ? (
                  <th key={column} scope="row">
                    <a href={`/dashboard/records/${encodeURIComponent(row.record)}`}>{row.record}</a>
                  </th>
                ) : (
                  <td key={column}>{cellOf(row, column, names)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The head of a column, which sorts the list by it; once more, the other way round. */
function HeadCell(props: {
  readonly kind: ListKind;
  readonly column: ListColumn;
  readonly request: ListPageRequest;
}) {
  const { kind, column, request } = props;
  const isSorted = request.sort === column;
  const isDescending = isSorted && request.isDescending !== true;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (request.isDescending === true ? 'descending' : 'ascending') : undefined}
    >
      <a href={listAddress(kind, { ...request, sort: column, isDescending, page: undefined })}>
        {HEADINGS[column]}
      </a>
    </th>
  );
}

function cellOf(row: ListRow, column: ListColumn, names: ListNames): string {
  const value = row[column];
  switch (column) {
    case 'site':
      return names.sites.get(row.site) ?? row.site;
    case 'event':
      return names.events.get(row.event ?? '') ?? row.event ?? '';
    case 'form':
      return names.forms.get(row.form ?? '') ?? row.form ?? '';
    case 'status':
      return STATUSES.find(({ key }) => key === row.status)?.label ?? '';
    default:
      return value === undefined || value === null ? '' : String(value);
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
