/** Maximum length of a unique name before `_arm_1`. @see docs/protocol/redcap.md 9.2 (client, issue) */
const STEM_LIMIT = 18;

/**
 * Makes the unique name of an event: the label in lower case, with `_` for other characters, then the arm. If the name
 * is taken, a letter is appended.
 *
 * @see docs/protocol/redcap.md 9.2 (client, issue)
 */
export function uniqueEventName(label: string, arm: number, taken: ReadonlySet<string>): string {
  const name = `${stemOf(label) || 'event'}_arm_${arm}`;
  if (!taken.has(name)) return name;
  for (let code = 'b'.charCodeAt(0); code <= 'z'.charCodeAt(0); code += 1) {
    const lettered = `${name}${String.fromCharCode(code)}`;
    if (!taken.has(lettered)) return lettered;
  }
  return `${name}${taken.size}`;
}

/**
 * Makes the unique name of a data access group: `Le Havre` is `le_havre`, `dag-a` is `daga`.
 *
 * @see docs/protocol/redcap.md 10.1 (client)
 */
export function uniqueGroupName(label: string, taken: ReadonlySet<string>): string {
  const stem = groupStemOf(label) || 'group';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem.slice(0, STEM_LIMIT - String(count).length)}${count}`;
    if (!taken.has(name)) return name;
  }
}

/** Replaces whitespace with `_`, and removes everything else but letters, digits and `_`. */
function groupStemOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_]+/g, '')
    .slice(0, STEM_LIMIT);
}

function stemOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, STEM_LIMIT)
    .replace(/_+$/, '');
}
