import { armOf } from '../../services/summary/form-counts.js';
import { VISIT_STATES } from '../../services/summary/due-visits.js';
import { isFiltered, type StudyFilter } from '../../services/summary/chosen-records.js';
import { QUALITY_RULES } from '../../records/rules/quality-finding.js';
import type { ListKind } from '../../services/summary/list-rows.js';
import type { ListNames } from '../../services/summary/list-names.js';
import type { ListPageRequest } from '../../services/summary/list-page.js';
import { Choice, type ChoiceProps, type Worded } from '../parts.js';
import { queryOf, NO_SITE, type DashboardChoice } from './list-address.js';
import { STATUSES } from './completeness-plot.js';
import type { Texts } from '../texts/texts.js';

/** What the filter of a list is made from. */
export interface FilterView {
  readonly kind: ListKind;
  readonly names: ListNames;
  readonly request: ListPageRequest;
  /** Whether findings can be selected by what the log says. */
  readonly mayReadLogs: boolean;
}

/** The filter of a list. What it selects is in the address of the list. */
export function FilterForm({ t, kind, names, request, mayReadLogs }: Worded<FilterView>) {
  return (
    <form class="inline filter" method="get" action={`/dashboard/${kind}`}>
      <NameChoice t={t} name="form" label={t.filter.form} chosen={request.form} options={[...names.forms]} />
      <StudyChoices t={t} names={names} filter={request} />
      {kind === 'due' && (
        <NameChoice
          t={t}
          name="state"
          label={t.filter.when}
          chosen={request.state}
          options={VISIT_STATES.map((state) => [state, t.study.visitStates[state]])}
        />
      )}
      {kind === 'findings' && (
        <NameChoice
          t={t}
          name="rule"
          label={t.filter.rule}
          chosen={request.rule}
          options={QUALITY_RULES.map((rule) => [rule, t.study.rules[rule]])}
        />
      )}
      {kind === 'findings' && mayReadLogs && (
        <div>
          <label for="changedSince">{t.filter.changedSince}</label>
          <input id="changedSince" name="changedSince" type="date" value={request.changedSince} />
        </div>
      )}
      {kind === 'forms' && (
        <fieldset>
          <legend>{t.filter.status}</legend>
          {STATUSES.map(({ key }) => (
            <label key={key}>
              <input
                type="checkbox"
                name="status"
                value={key}
                checked={request.statuses?.includes(key) ?? false}
              />{' '}
              {t.study.statuses[key]}
            </label>
          ))}
        </fieldset>
      )}
      <div>
        <label for="record">{t.filter.record}</label>
        <input id="record" name="record" type="search" value={request.record} autocomplete="off" />
      </div>
      <button type="submit">{t.filter.show}</button>
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
  const { site, arm, event, from, to } = filter;
  const arms = names.arms.length > 1 ? names.arms : [];
  return (
    <>
      <NameChoice
        t={t}
        name="site"
        label={t.filter.site}
        chosen={site === '' ? NO_SITE : site}
        options={names.sites.size === 0 ? [] : [...names.sites, [NO_SITE, t.study.noSite]]}
      />
      <NameChoice
        t={t}
        name="arm"
        label={t.filter.arm}
        chosen={arm?.toString()}
        options={arms.map((number) => [String(number), t.study.arm(String(number))])}
      />
      <NameChoice t={t} name="event" label={t.filter.event} chosen={event} options={eventOptions(t, names)} />
      <div>
        <label for="from">{t.filter.from}</label>
        <input id="from" name="from" type="date" value={from} />
      </div>
      <div>
        <label for="to">{t.filter.to}</label>
        <input id="to" name="to" type="date" value={to} />
      </div>
    </>
  );
}

/** Events of different arms may share a label. */
function eventOptions(t: Texts, { events, arms }: ListNames): [string, string][] {
  return [...events].map(([name, label]) => [
    name,
    arms.length > 1 ? `${label}${t.study.inArm(armOf(name))}` : label,
  ]);
}

/** A choice among names, or all of them; nothing if there are none to choose from. */
function NameChoice({ t, options, ...choice }: Worded<ChoiceProps>) {
  return options.length === 0 ? null : <Choice {...choice} options={[['', t.filter.all], ...options]} />;
}
