import { VISIT_STATES } from '../../services/summary/due-visits.js';
import { isFiltered, type StudyFilter } from '../../services/summary/chosen-records.js';
import { QUALITY_RULES } from '../../records/rules/quality-finding.js';
import type { ListKind } from '../../services/summary/list-rows.js';
import type { ListNames, ListPageRequest } from '../../services/summary/study-lists.js';
import { Choice, type ChoiceProps } from '../choice.js';
import { queryOf, type DashboardChoice } from './dashboard-choice.js';
import { armOf, STATUSES, VISIT_LABELS } from './form-statuses.js';
import { NO_SITE } from './list-address.js';
import { QUALITY_LABELS } from './quality-plot.js';

/** The filter of a list. What it selects is in the address of the list. */
export function FilterForm({
  kind,
  names,
  request,
}: {
  readonly kind: ListKind;
  readonly names: ListNames;
  readonly request: ListPageRequest;
}) {
  return (
    <form class="inline filter" method="get" action={`/dashboard/${kind}`}>
      <NameChoice name="form" label="Form" chosen={request.form} options={[...names.forms]} />
      <StudyChoices names={names} filter={request} />
      {kind === 'due' && (
        <NameChoice
          name="state"
          label="When"
          chosen={request.state}
          options={VISIT_STATES.map((state) => [state, VISIT_LABELS[state]])}
        />
      )}
      {kind === 'findings' && (
        <NameChoice
          name="rule"
          label="Rule"
          chosen={request.rule}
          options={QUALITY_RULES.map((rule) => [rule, QUALITY_LABELS[rule]])}
        />
      )}
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
        <label for="record">Record contains</label>
        <input id="record" name="record" type="search" value={request.record} autocomplete="off" />
      </div>
      <button type="submit">Show</button>
    </form>
  );
}

/** The filter of the dashboard, which its links and files keep. */
export function DashboardFilter({
  names,
  choice,
}: {
  readonly names: ListNames;
  readonly choice: DashboardChoice;
}) {
  const { filter, ...others } = choice;
  return (
    <form class="inline filter" method="get" action="/dashboard" aria-label="Part of the study">
      <StudyChoices names={names} filter={filter} />
      <button type="submit">Apply</button>
      {isFiltered(filter) && <a href={`/dashboard${queryOf(others)}`}>The whole study</a>}
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
function StudyChoices({ names, filter }: { readonly names: ListNames; readonly filter: StudyFilter }) {
  const { site, arm, event, from, to } = filter;
  const arms = names.arms.length > 1 ? names.arms : [];
  return (
    <>
      <NameChoice
        name="site"
        label="Site"
        chosen={site === '' ? NO_SITE : site}
        options={names.sites.size === 0 ? [] : [...names.sites, [NO_SITE, 'No group']]}
      />
      <NameChoice
        name="arm"
        label="Arm"
        chosen={arm?.toString()}
        options={arms.map((number) => [String(number), `Arm ${number}`])}
      />
      <NameChoice name="event" label="Event" chosen={event} options={eventOptions(names)} />
      <div>
        <label for="from">Joined from</label>
        <input id="from" name="from" type="date" value={from} />
      </div>
      <div>
        <label for="to">to</label>
        <input id="to" name="to" type="date" value={to} />
      </div>
    </>
  );
}

/** Events of different arms may share a label. */
function eventOptions({ events, arms }: ListNames): [string, string][] {
  return [...events].map(([name, label]) => [name, arms.length > 1 ? `${label}, arm ${armOf(name)}` : label]);
}

/** A choice among names, or all of them; nothing if there are none to choose from. */
function NameChoice({ options, ...choice }: ChoiceProps) {
  return options.length === 0 ? null : <Choice {...choice} options={[['', 'all'], ...options]} />;
}
