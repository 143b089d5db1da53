import { withoutTags } from './without-tags.js';

/**
 * Returns two different values so that they also look different: if only blanks or characters that nobody sees tell
 * them apart, as in `Grüße` and `␣Grüße`, those are written out.
 */
export function shownApart(one: string, other: string): readonly [string, string] {
  if (one === other || asSeen(one) !== asSeen(other)) return [one, other];
  return [written(one), written(other)];
}

function asSeen(text: string): string {
  return withoutTags(text.replace(/[\p{Cc}\p{Cf}]+/gu, ' '));
}

function written(text: string): string {
  return text.replaceAll(' ', '␣').replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return NAMES.get(character) ?? `\\u{${code.toString(16)}}`;
  });
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
