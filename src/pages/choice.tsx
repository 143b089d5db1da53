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
