import { later, type DueVisit } from './due-visits.js';

/** The names that a calendar shows instead of unique names. */
export interface CalendarNames {
  readonly events: ReadonlyMap<string, string>;
  readonly forms: ReadonlyMap<string, string>;
  readonly dags: ReadonlyMap<string, string>;
}

/** Says of a visit when it is planned (`YYYY-MM-DD`) and which of its forms have not begun, in the language of a reader. */
export type VisitSentence = (day: string, forms: readonly string[]) => string;

const LINE_BYTES = 75;

/**
 * Writes visits as an iCalendar file (RFC 5545): an entry for each visit over the days of its window. Nothing is yielded
 * before the first visit is known, so that an error still finds no bytes sent.
 */
export async function* calendarOf(
  visits: AsyncIterable<DueVisit>,
  names: CalendarNames,
  sentence: VisitSentence,
  madeAt: Date,
): AsyncGenerator<Buffer, void, undefined> {
  const stamp = madeAt.toISOString().replace(/[-:]|\.\d+/g, '');
  let head = linesOf(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//CRF Service//Due visits//EN']);
  for await (const visit of visits) {
    yield Buffer.from(head + linesOf(entryOf(visit, names, sentence, stamp)));
    head = '';
  }
  yield Buffer.from(head + linesOf(['END:VCALENDAR']));
}

function entryOf(
  visit: DueVisit,
  { events, forms, dags }: CalendarNames,
  sentence: VisitSentence,
  stamp: string,
): string[] {
  const { record, dag, event, day, opens, closes, instruments } = visit;
  const place = dags.get(dag) ?? dag;
  const notBegun = instruments.map((form) => forms.get(form) ?? form);
  return [
    'BEGIN:VEVENT',
    `UID:${encodeURIComponent(event)}.${encodeURIComponent(record)}@crf-service`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${opens.replaceAll('-', '')}`,
    `DTEND;VALUE=DATE:${later(closes, 1).replaceAll('-', '')}`,
    `SUMMARY:${escaped(`${events.get(event) ?? event}: ${record}${place === '' ? '' : ` (${place})`}`)}`,
    `DESCRIPTION:${escaped(sentence(day, notBegun))}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** RFC 5545 3.3.11 */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n|\r/g, '\\n');
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Breaks a line after at most 75 bytes, between characters (RFC 5545 3.1). */
function folded(line: string): string {
  let [text, bytes] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) [text, bytes] = [`${text}\r\n `, 1];
    text += character;
    bytes += size;
  }
  return text;
}
