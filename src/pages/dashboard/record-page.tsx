import type { Child } from 'hono/jsx';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import type { InstanceDocument, TypedValue } from '../../gateways/redcap/crf-client.js';
import type { ListNames } from '../../services/summary/study-lists.js';
import { armOf } from '../../services/summary/form-counts.js';
import type { ListedForm } from '../../services/summary/listed-forms.js';
import type { RecordSheet } from '../../services/record-sheets.js';
import type { RecordAddress } from '../../services/project-overview.js';
import { Moment, Section, type Worded } from '../parts.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { Table } from '../table.js';
import { STATUSES } from './completeness-plot.js';
import type { Texts } from '../texts/texts.js';
import { hasOffset } from '../texts/in-language.js';
import { saidIn } from '../../domain/errors/sentences.js';

export interface RecordPageView extends RecordSheet {
  readonly record: string;
  readonly names: ListNames;
  readonly mayReadFiles: boolean;
  /** Where records are in REDCap; undefined if that is not known. */
  readonly address: RecordAddress | undefined;
}

/** The page of a record in the language of its reader. */
type RecordPageProps = Worded<RecordPageView>;

/** Renders the page of one record: its forms by event, values, findings and log. */
export function recordPage(context: PageContext, shown: RecordPageView): string {
  const { t } = context;
  const view = { t, ...shown };
  const { record, names, forms, address } = view;
  const [first] = forms;
  const dag = first === undefined ? '' : (names.dags.get(first.dag) ?? first.dag);
  const about = [dag, first?.joined === '' ? '' : t.record.joined(t.date(first?.joined ?? ''))].filter(
    (part) => part !== '',
  );
  return renderPage({
    title: t.record.title(record),
    context,
    isWide: true,
    ...(about.length > 0 && { lead: about.join(', ') }),
    children: (
      <>
        <FormGrid {...view} />
        <Findings {...view} />
        <RecordValues {...view} />
        {view.log !== undefined && <Log {...view} />}
        <p class="tools">
          <a href="/dashboard/records">{t.record.all}</a>
          <a href="/dashboard">{t.frame.dashboard}</a>
          {address !== undefined && (
            <a href={address(record, Number(armOf(first?.event ?? '')) || 1)}>{t.record.inRedcap}</a>
          )}
        </p>
      </>
    ),
  });
}

/** The forms of the record, with their status in words: one row per form, one column per event. */
function FormGrid({ t, forms, names }: RecordPageProps) {
  const words = t.record.forms;
  const events = [...new Set(forms.map(({ event }) => event))];
  const rows = [...names.forms].filter(([name]) => forms.some(({ instrument }) => instrument === name));
  return (
    <Section id="forms" title={words.title}>
      <Table
        label={words.label}
        columns={[
          words.form,
          ...events.map((event) => (event === '' ? words.status : (names.events.get(event) ?? event))),
        ]}
        rows={rows.map(([name, label]) => [
          label,
          ...events.map((event) =>
            forms
              .filter((each) => each.instrument === name && each.event === event)
              .map((each, index) => <FormStatus key={index} t={t} {...each} />),
          ),
        ])}
      />
    </Section>
  );
}

function FormStatus({ t, event, instrument, instance, status }: ListedForm & { readonly t: Texts }) {
  const label = t.study.statuses[status];
  return (
    <span class="form-status">
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <rect class={STATUSES.find(({ key }) => key === status)?.className} width="10" height="10" rx="2" />
      </svg>
      {instance === null ? '' : `${instance}: `}
      {status === 'notBegun' ? label : <a href={`#${anchorOf({ event, instrument, instance })}`}>{label}</a>}
    </span>
  );
}

function Findings({ t, findings, names }: RecordPageProps) {
  const { columns } = t.lists;
  return (
    <Section
      id="findings"
      title={findings.length === 0 ? t.record.findings.none : t.study.findings(findings.length)}
    >
      {findings.length > 0 && (
        <Table
          label={t.record.findings.label}
          columns={[
            ...[columns.field, columns.instrument, columns.event, columns.rule],
            { name: columns.message, kind: 'words' },
          ]}
          rows={findings.map(({ field, instrument, event, instance, rule, ...sentence }) => [
            field,
            `${names.forms.get(instrument) ?? instrument}${instance === null ? '' : ` ${instance}`}`,
            names.events.get(event) ?? event,
            t.study.rules[rule],
            saidIn(t.sentences, sentence),
          ])}
        />
      )}
    </Section>
  );
}

function Log({ t, log: entries = [], names }: Pick<RecordPageProps, 't' | 'log' | 'names'>) {
  const words = t.record.log;
  return (
    <Section id="log" title={words.title}>
      {entries.length === 0 && <p class="quiet">{words.none}</p>}
      {entries.some(({ at }) => !hasOffset(at)) && <p class="quiet small">{words.timesOfServer}</p>}
      {entries.length > 0 && (
        <Table
          label={words.label}
          columns={[words.time, words.user, words.what, words.event]}
          rows={entries.map(({ at, user, action, event }) => [
            <Moment key="at" at={at} t={t} />,
            user,
            words.actions[action],
            names.events.get(event ?? '') ?? event ?? '',
          ])}
        />
      )}
    </Section>
  );
}

/** Where a form stands in the record. */
interface FormPlace {
  readonly event: string;
  readonly instrument: string;
  readonly instance: number | null;
}

/** The values of the record, form by form, which the grid of its forms leads to. */
function RecordValues(view: RecordPageProps) {
  const { t, values, names } = view;
  const forms = values.events.flatMap(({ event, instruments }) =>
    instruments.flatMap(({ instrument, instances }) =>
      instances.map((filledIn) => ({ event, instrument, instance: filledIn.instance, filledIn })),
    ),
  );
  if (forms.length === 0) return null;
  return (
    <Section id="values" title={t.record.values.title}>
      {forms.map(({ filledIn, ...place }) => (
        <details key={anchorOf(place)}>
          <summary>{nameOf(place, names)}</summary>
          {/* A browser opens the details of what an address leads to. */}
          <div id={anchorOf(place)}>
            <FormValues view={view} place={place} filledIn={filledIn} />
          </div>
        </details>
      ))}
    </Section>
  );
}

/** Returns the name of a form on the page, for links to its values. */
function anchorOf({ event, instrument, instance }: FormPlace): string {
  return [instrument, event, instance ?? ''].filter((part) => part !== '').join('-');
}

function nameOf({ event, instrument, instance }: FormPlace, names: ListNames): string {
  const label = `${names.forms.get(instrument) ?? instrument}${instance === null ? '' : ` ${instance}`}`;
  return event === '' ? label : `${names.events.get(event) ?? event}: ${label}`;
}

function FormValues(props: {
  readonly view: RecordPageProps;
  readonly place: FormPlace;
  readonly filledIn: InstanceDocument;
}) {
  const { view, place, filledIn } = props;
  const words = view.t.record.values;
  // The form status, which is not a field, is in the grid.
  const filled = Object.entries(filledIn.values).flatMap(([name, value]) => {
    const field = view.fields.get(name);
    return field === undefined || isBlank(value) ? [] : [{ field, value }];
  });
  if (filled.length === 0) return <p class="quiet">{words.none}</p>;
  return (
    <Table
      label={words.of(nameOf(place, view.names))}
      columns={[
        { name: words.field, kind: 'words' },
        { name: words.value, kind: 'words' },
      ]}
      rows={filled.map(({ field, value }) => [
        withoutTags(field.label) || field.name,
        field.type === 'file' && view.mayReadFiles ? (
          <a href={fileAddress(view.record, field.name, place)} download>
            {inWords(view.t, value)}
          </a>
        ) : (
          inWords(view.t, value)
        ),
      ])}
    />
  );
}

function isBlank(value: TypedValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Returns a value as a reader of the form knows it: with the label of a choice. */
function inWords(t: Texts, value: TypedValue): Child {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? t.record.values.yes : t.record.values.no;
  if (typeof value !== 'object') return String(value);
  if ('missing' in value) return <span class="quiet">{t.record.values.missing(value.missing)}</span>;
  const choices = 'code' in value ? [value] : value;
  return choices.map((each) => (typeof each === 'string' ? each : withoutTags(each.label))).join(', ');
}

function fileAddress(record: string, field: string, { event, instance }: FormPlace): string {
  const query = new URLSearchParams({
    ...(event !== '' && { event }),
    ...(instance !== null && { instance: `${instance}` }),
  }).toString();
  return `/api/v1/records/${encodeURIComponent(record)}/files/${field}${query === '' ? '' : `?${query}`}`;
}
