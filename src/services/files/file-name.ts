/**
 * Removes the parts of a file name that could mislead its reader: folders, control characters, and invisible characters
 * that change the direction of text.
 *
 * @param fallback the name to use if nothing is left
 */
export function bareFileName(name: string, fallback: string): string {
  const bare = (name.split(/[/\\]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim();
  return /^\.{0,2}$/.test(bare) ? fallback : bare;
}

/**
 * Returns a name under which a file can be written on any system, and only in the intended folder: not hidden, not too
 * long for file systems, and not a device name on Windows.
 *
 * @param fallback the name to use if nothing is left
 */
export function diskFileName(name: string, fallback: string): string {
  const allowed = bareFileName(name, fallback)
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+/, '')
    // Only from where such a run begins, so that a long one in the middle is read once.
    .replace(/(?<![.\s])[.\s]+$/, '');
  const short = withinBytes(allowed);
  if (short === '') return fallback;
  return DEVICE.test(short) ? `_${short}` : short;
}

/** Shortens a name but keeps its extension. */
function withinBytes(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const ending = /\.[^.\s]{1,15}$/.exec(name)?.[0] ?? '';
  let start = '';
  let left = MAX_NAME_BYTES - Buffer.byteLength(ending);
  for (const character of name.slice(0, name.length - ending.length)) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    start += character;
  }
  return start + ending;
}

/** Less than the 255 of most file systems, because an incomplete file has `.part` appended to its name. */
const MAX_NAME_BYTES = 240;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
