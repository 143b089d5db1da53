/**
 * The name of a file without what could steer whoever reads it: folders, control characters, and the invisible ones that
 * turn the direction of a text.
 *
 * @param fallback for a name of which nothing is left
 */
export function bareFileName(name: string, fallback: string): string {
  const bare = (name.split(/[/\\]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim();
  return /^\.{0,2}$/.test(bare) ? fallback : bare;
}

/**
 * A name under which a file can be written on any system, in the folder that is meant and in no other: not hidden, not
 * longer than file systems take, and none that Windows keeps for a device.
 *
 * @param fallback for a name of which nothing is left
 */
export function diskFileName(name: string, fallback: string): string {
  const allowed = bareFileName(name, fallback)
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '');
  const short = withinBytes(allowed);
  if (short === '') return fallback;
  return DEVICE.test(short) ? `_${short}` : short;
}

/** With its ending, which says what it is. */
function withinBytes(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const ending = /\.[^.\s]{1,15}$/.exec(name)?.[0] ?? '';
  const characters = [...name.slice(0, name.length - ending.length)];
  while (Buffer.byteLength(characters.join('') + ending) > MAX_NAME_BYTES) characters.pop();
  return characters.join('') + ending;
}

/** Less than the 255 of most file systems: until it is whole a file has `.part` behind its name. */
const MAX_NAME_BYTES = 240;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
