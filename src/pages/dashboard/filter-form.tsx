import { VISIT_STATES } from '../../services/summary/due-visits.js';
import type { ListKind, ListNames, ListPageRequest } from '../../services/summary/study-lists.js';
import { STATUSES, VISIT_LABELS } from './form-statuses.js';
import { NO_SITE } from './list-address.js';

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
      {kind === 'due' && (
        <Choice
          name="state"
          label="When"
          chosen={request.state}
          options={VISIT_STATES.map((state) => [state, VISIT_LABELS[state]])}
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
