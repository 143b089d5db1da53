import type { ReadLogEntry } from '../../services/logs/log-reader.js';
import type { ListedForm } from '../../services/summary/listed-forms.js';
import type { RecordSheet } from '../../services/record-sheets.js';
import type { RecordAddress } from '../../services/project-overview.js';
import type { ListNames } from '../../services/summary/study-lists.js';
import { inEnglish, type PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { Table } from '../table.js';
import { armOf, STATUSES } from './form-statuses.js';
import { counted } from './in-words.js';
import { QUALITY_LABELS } from './quality-plot.js';
import { anchorOf, RecordValues, type RecordValuesView } from './record-values.js';

export interface RecordPageView extends RecordSheet, RecordValuesView {
  /** Where records are in REDCap; undefined if that is not known. */
  readonly address: RecordAddress | undefined;
}

/** Renders the page of one record: its forms by event, values, findings and log. */
export function recordPage(context: PageContext, view: RecordPageView): string {
  const { record, names, forms, address } = view;
  const [first] = forms;
  const site = first === undefined ? '' : (names.sites.get(first.site) ?? first.site);
  const about = [site, first?.joined === '' ? '' : `joined ${first?.joined ?? ''}`].filter(
    (part) => part !== '',
  );
  return renderPage({
    title: `Record ${record}`,
    context: inEnglish(context),
    isWide: true,
    ...(about.length > 0 && { lead: about.join(', ') }),
    children: (
      <>
        <FormGrid {...view} />
        <Findings {...view} />
        <RecordValues {...view} />
        {view.log !== undefined && <Log entries={view.log} names={names} />}
        <p class="tools">
          <a href="/dashboard/records">All records</a>
          <a href="/dashboard">Dashboard</a>
          {address !== undefined && (
            <a href={address(record, Number(armOf(first?.event ?? '')) || 1)}>This record in REDCap</a>
          )}
        </p>
      </>
    ),
  });
}

/** The forms of the record, with their status in words: one row per form, one column per event. */
function FormGrid({ forms, names }: RecordPageView) {
  const events = [...new Set(forms.map(({ event }) => event))];
  const rows = [...names.forms].filter(([name]) => forms.some(({ form }) => form === name));
  return (
    <section class="card" aria-labelledby="forms-heading">
      <h2 id="forms-heading">Forms</h2>
      <Table
        label="Forms by event"
        columns={[
          'Form',
          ...events.map((event) => (event === '' ? 'Status' : (names.events.get(event) ?? event))),
        ]}
        rows={rows.map(([name, label]) => [
          label,
          ...events.map((event) =>
            forms
              .filter((each) => each.form === name && each.event === event)
              .map((each, index) => <FormStatus key={index} {...each} />),
          ),
        ])}
      />
    </section>
  );
}

function FormStatus({ event, form, instance, status }: ListedForm) {
  const { label, className } = STATUSES.find(({ key }) => key === status) ?? { label: status, className: '' };
  return (
    <span class="form-status">
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <rect class={className} width="10" height="10" rx="2" />
      </svg>
      {instance === null ? '' : `${instance}: `}
      {status === 'notBegun' ? label : <a href={`#${anchorOf({ event, form, instance })}`}>{label}</a>}
    </span>
  );
}

function Findings({ findings, names }: RecordPageView) {
  return (
    <section class="card" aria-labelledby="findings-heading">
      <h2 id="findings-heading">
        {findings.length === 0 ? 'No findings' : counted(findings.length, 'finding')}
      </h2>
      {findings.length > 0 && (
        <Table
          label="Findings of the quality rules"
          columns={['Field', 'Form', 'Event', 'Rule', { name: 'Finding', kind: 'words' }]}
          rows={findings.map(({ field, instrument, event, instance, rule, message }) => [
            field,
            `${names.forms.get(instrument) ?? instrument}${instance === null ? '' : ` ${instance}`}`,
            names.events.get(event) ?? event,
            QUALITY_LABELS[rule],
            message,
          ])}
        />
      )}
    </section>
  );
}

function Log({ entries, names }: { readonly entries: readonly ReadLogEntry[]; readonly names: ListNames }) {
  return (
    <section class="card" aria-labelledby="log-heading">
      <h2 id="log-heading">What happened</h2>
      {entries.length === 0 ? (
        <p class="quiet">The log has no entry of this record.</p>
      ) : (
        <Table
          label="The log of the record, without values"
          columns={[
            // Without an offset, the times are those of the server, wherever that is.
            entries.every(({ at }) => offsetOf(at) === '') ? 'Time on the server' : 'Time',
            'User',
            'What',
            'Event',
          ]}
          rows={entries.map(({ at, user, kind, event }) => [
            <time key="at" datetime={at}>
              {`${at.slice(0, 16).replace('T', ' ')} ${offsetOf(at)}`.trimEnd()}
            </time>,
            user,
            kind.replaceAll('_', ' '),
            names.events.get(event ?? '') ?? event ?? '',
          ])}
        />
      )}
    </section>
  );
}

/** Returns the zone of a time: `UTC`, an offset such as `+01:00`, or nothing if it is not known. */
function offsetOf(at: string): string {
  return at.endsWith('Z') ? 'UTC' : (/[+-]\d\d:\d\d$/.exec(at)?.[0] ?? '');
}
