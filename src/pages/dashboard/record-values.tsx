import type { Child } from 'hono/jsx';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import type { InstanceDocument, TypedValue } from '../../gateways/redcap/crf-client.js';
import type { RecordSheet } from '../../services/record-sheets.js';
import type { ListNames } from '../../services/summary/list-names.js';
import { Section, type Worded } from '../parts.js';
import { Table } from '../table.js';
import type { Texts } from '../texts/texts.js';

/** What the values of a record are shown with. */
export interface RecordValuesView extends Pick<RecordSheet, 'values' | 'fields'> {
  readonly record: string;
  readonly names: ListNames;
  readonly mayReadFiles: boolean;
}

/** The values in the language of their reader. */
type RecordValuesProps = Worded<RecordValuesView>;

/** Where a form stands in the record. */
interface FormPlace {
  readonly event: string;
  readonly form: string;
  readonly instance: number | null;
}

/** The values of the record, form by form, which the grid of its forms leads to. */
export function RecordValues(view: RecordValuesProps) {
  const { t, values, names } = view;
  const forms = values.events.flatMap(({ event, instruments }) =>
    instruments.flatMap(({ instrument: form, instances }) =>
      instances.map((filledIn) => ({ event, form, instance: filledIn.instance, filledIn })),
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
export function anchorOf({ event, form, instance }: FormPlace): string {
  return [form, event, instance ?? ''].filter((part) => part !== '').join('-');
}

function nameOf({ event, form, instance }: FormPlace, names: RecordValuesView['names']): string {
  const label = `${names.forms.get(form) ?? form}${instance === null ? '' : ` ${instance}`}`;
  return event === '' ? label : `${names.events.get(event) ?? event}: ${label}`;
}

function FormValues(props: {
  readonly view: RecordValuesProps;
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
    ...(instance !== null && { repeatInstance: `${instance}` }),
  }).toString();
  return `/api/v1/records/${encodeURIComponent(record)}/files/${field}${query === '' ? '' : `?${query}`}`;
}
