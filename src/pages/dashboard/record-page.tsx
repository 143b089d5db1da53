import { armOf } from '../../services/summary/form-counts.js';
import type { ListedForm } from '../../services/summary/listed-forms.js';
import type { RecordSheet } from '../../services/record-sheets.js';
import type { RecordAddress } from '../../services/project-overview.js';
import { Moment, Section, type Worded } from '../parts.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { Table } from '../table.js';
import { STATUSES } from './completeness-plot.js';
import { anchorOf, RecordValues, type RecordValuesView } from './record-values.js';
import type { Texts } from '../texts/texts.js';
import { hasOffset } from '../texts/in-language.js';
import { saidIn } from '../../domain/errors/sentences.js';

export interface RecordPageView extends RecordSheet, RecordValuesView {
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
  const site = first === undefined ? '' : (names.sites.get(first.site) ?? first.site);
  const about = [site, first?.joined === '' ? '' : t.record.joined(t.date(first?.joined ?? ''))].filter(
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
  const rows = [...names.forms].filter(([name]) => forms.some(({ form }) => form === name));
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
              .filter((each) => each.form === name && each.event === event)
              .map((each, index) => <FormStatus key={index} t={t} {...each} />),
          ),
        ])}
      />
    </Section>
  );
}

function FormStatus({ t, event, form, instance, status }: ListedForm & { readonly t: Texts }) {
  const label = t.study.statuses[status];
  return (
    <span class="form-status">
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <rect class={STATUSES.find(({ key }) => key === status)?.className} width="10" height="10" rx="2" />
      </svg>
      {instance === null ? '' : `${instance}: `}
      {status === 'notBegun' ? label : <a href={`#${anchorOf({ event, form, instance })}`}>{label}</a>}
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
            ...[columns.field, columns.form, columns.event, columns.rule],
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
          rows={entries.map(({ at, user, kind, event }) => [
            <Moment key="at" at={at} t={t} />,
            user,
            words.kinds[kind],
            names.events.get(event ?? '') ?? event ?? '',
          ])}
        />
      )}
    </Section>
  );
}
