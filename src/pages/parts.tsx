import type { Child } from 'hono/jsx';
import type { Texts } from './texts/texts.js';

/** What a component shows, with the texts of its reader's language. */
export type Worded<View> = View & { readonly t: Texts };

/** A time such as `20 Nov 2026, 21:00 UTC`, which is kept on one line. */
export function Moment({ at, t }: { readonly at: string; readonly t: Pick<Texts, 'moment'> }) {
  return <time datetime={at}>{t.moment(at)}</time>;
}

export interface ChoiceProps {
  /** The parameter of the form. */
  readonly name: string;
  readonly label: string;
  readonly chosen: string | undefined;
  /** What may be chosen, the default first. */
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** A choice among several values, in a form. */
export function Choice({ name, label, chosen, options }: ChoiceProps) {
  return (
    <div>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A card with a heading, by which it is named. */
export function Section(props: {
  readonly id: string;
  readonly title: string;
  readonly className?: string;
  readonly children: Child;
}) {
  const { id, title, className = 'card', children } = props;
  return (
    <section class={className} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{title}</h2>
      {children}
    </section>
  );
}
