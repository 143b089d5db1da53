import { armOf } from '../../services/summary/form-counts.js';
import { VISIT_STATES } from '../../services/summary/due-visits.js';
import { isFiltered, type StudyFilter } from '../../services/summary/chosen-records.js';
import { QUALITY_RULES } from '../../records/rules/quality-finding.js';
import type { ListKind } from '../../services/summary/list-rows.js';
import type { ListNames } from '../../services/summary/study-lists.js';
import type { ListPageRequest } from '../../services/summary/list-page.js';
import { Choice, type ChoiceProps, type Worded } from '../parts.js';
import { queryOf, NO_DAG, type DashboardChoice } from './list-address.js';
import { STATUSES } from './completeness-plot.js';
import type { Texts } from '../texts/texts.js';

/** What the filter of a list is made from. */
export interface FilterView {
  readonly kind: ListKind;
  readonly names: ListNames;
  readonly request: ListPageRequest;
  /** Whether findings can be selected by what the log says. */
  readonly mayReadLog: boolean;
}

/** The filter of a list. What it selects is in the address of the list. */
export function FilterForm({ t, kind, names, request, mayReadLog }: Worded<FilterView>) {
  const { filter, study } = t;
  const states = VISIT_STATES.map((state) => [state, study.visitStates[state]] as const);
  const rules = QUALITY_RULES.map((rule) => [rule, study.rules[rule]] as const);
  return (
    <form class="inline filter" method="get" action={`/dashboard/${kind}`}>
      {nameChoice(t, 'instrument', filter.instrument, request.instrument, [...names.forms])}
      <StudyChoices t={t} names={names} filter={request} />
      {kind === 'due' && nameChoice(t, 'state', filter.when, request.state, states)}
      {kind === 'findings' && nameChoice(t, 'rule', filter.rule, request.rule, rules)}
      {kind === 'findings' && mayReadLog && (
        <Day name="changedFrom" label={filter.changedFrom} value={request.changedFrom} />
      )}
      {kind === 'forms' && (
        <fieldset>
          <legend>{filter.status}</legend>
          {STATUSES.map(({ key }) => (
            <label key={key}>
              <input
                type="checkbox"
                name="status"
                value={key}
                checked={request.statuses?.includes(key) ?? false}
              />{' '}
              {study.statuses[key]}
            </label>
          ))}
        </fieldset>
      )}
      <div>
        <label for="record">{filter.record}</label>
        <input id="record" name="record" type="search" value={request.record} autocomplete="off" />
      </div>
      <button type="submit">{filter.show}</button>
    </form>
  );
}

/** The filter of the dashboard, which its links and files keep. */
export function DashboardFilter(
  props: Worded<{ readonly names: ListNames; readonly choice: DashboardChoice }>,
) {
  const { t, names, choice } = props;
  const { filter, ...others } = choice;
  return (
    <form class="inline filter" method="get" action="/dashboard" aria-label={t.filter.partOfStudy}>
      <StudyChoices t={t} names={names} filter={filter} />
      <button type="submit">{t.filter.apply}</button>
      {isFiltered(filter) && <a href={`/dashboard${queryOf(others)}`}>{t.filter.wholeStudy}</a>}
      <HiddenChoice {...others} />
    </form>
  );
}

/** Choices that a form keeps without showing them. */
export function HiddenChoice(choice: Partial<DashboardChoice>) {
  const query = new URLSearchParams(queryOf(choice));
  return (
    <>
      {[...query].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** What selects a part of a study. */
function StudyChoices(props: Worded<{ readonly names: ListNames; readonly filter: StudyFilter }>) {
  const { t, names, filter } = props;
  const { dag, arm, event, from, until } = filter;
  const hasArms = names.arms.length > 1;
  const dags = names.dags.size === 0 ? [] : [...names.dags, [NO_DAG, t.study.noDag] as const];
  const arms = hasArms ? names.arms.map((number) => [`${number}`, t.study.arm(`${number}`)] as const) : [];
  // Events of different arms may share a label.
  const events = [...names.events].map(
    ([name, label]) => [name, hasArms ? `${label}${t.study.inArm(armOf(name))}` : label] as const,
  );
  return (
    <>
      {nameChoice(t, 'dag', t.filter.dag, dag === '' ? NO_DAG : dag, dags)}
      {nameChoice(t, 'arm', t.filter.arm, arm?.toString(), arms)}
      {nameChoice(t, 'event', t.filter.event, event, events)}
      <Day name="from" label={t.filter.from} value={from} />
      <Day name="until" label={t.filter.until} value={until} />
    </>
  );
}

/** A choice among names, or all of them; nothing if there are none to choose from. */
function nameChoice(
  t: Texts,
  name: string,
  label: string,
  chosen: string | undefined,
  options: ChoiceProps['options'],
) {
  if (options.length === 0) return null;
  return <Choice name={name} label={label} chosen={chosen} options={[['', t.filter.all], ...options]} />;
}

function Day(props: { readonly name: string; readonly label: string; readonly value: string | undefined }) {
  const { name, label, value } = props;
  return (
    <div>
      <label for={name}>{label}</label>
      <input id={name} name={name} type="date" value={value?.slice(0, 10)} />
    </div>
  );
}
