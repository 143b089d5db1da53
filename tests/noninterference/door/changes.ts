import type { SeededRandom } from '../../../src/sandbox/demo-study/made-up.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import type { Pair } from '../../proof/play.js';
import type { ApiCall, Request } from '../../proof/request.js';
import type { Smaller } from '../../proof/smaller-study.js';
import { PLACE, writesFor, type Write } from '../../proof/writes.js';

type Entries = [name: string, value: string][];
type Row = Readonly<Record<string, string>>;

/** A call that changes something, with what is known of it. */
export interface Change extends Omit<Write, 'request'> {
  readonly call: ApiCall;
}

/** @returns the changes by which REST is compared, as calls of REDCap's API: imports flat and as EAV, in every format */
export function changesFor({ study, left, who, madeUp }: Pair, random: SeededRandom): Change[] {
  const id = study.fields[0]?.name ?? '';
  const changes = writesFor(study, left, who, madeUp, random).flatMap(({ request, ...write }): Change[] => {
    // REDCap's API repeats no answers.
    if (request.key !== undefined) return [];
    const call = changeOf(request, id, random);
    const format = random.pick(['json', 'csv', 'xml']);
    return [{ ...write, call: { ...call, entries: [...call.entries, ['returnFormat', format]] } }];
  });
  const [row] = left.study.rows;
  const file = left.study.fields.find(({ type }) => type === 'file')?.name;
  const others = row === undefined || file === undefined ? [] : malformed(row, file);
  return [
    ...changes,
    ...atFirstEvent(study, left, id),
    ...others.map((entries) => ({ isGranted: undefined, isAlike: true, call: { entries } })),
  ];
}

/** Changes of files where no event is named, so that REDCap takes the first one. */
function atFirstEvent(study: Study, left: Smaller, id: string): Change[] {
  if (study.events.length === 0) return [];
  const records = [...new Set(left.study.rows.map((row) => row[id] ?? ''))].slice(0, 3);
  const fields = study.fields.filter(({ type }) => type === 'file');
  return fields.flatMap(({ name }) =>
    records.flatMap((record) =>
      ['import', 'delete'].map((action): Change => ({
        isGranted: undefined,
        // A file can be the first that a form has there.
        isOfRecord: true,
        call: {
          entries: [
            ['content', 'file'],
            ['action', action],
            ['record', record],
            ['field', name],
          ],
          ...(action === 'import' && { file: { name: 'x.txt', text: 'words' } }),
        },
      })),
    ),
  );
}

/** What no project takes, or what changes nothing. */
function malformed(row: Row, file: string): Entries[] {
  const [record = ''] = Object.values(row);
  const event = row['redcap_event_name'];
  const data = [
    ['json', ['[{', '{"a": "1"}', '[1]', '[]', '[{"a": ["1"]}]', '']],
    ['csv', ['a,"b', 'a', '']],
    ['xml', ['<records>', 'words', '<records></records>', '']],
    ['odm', ['<ODM>', '<!DOCTYPE ODM><ODM/>', '<records></records>', '<ODM></ODM>', '']],
  ] as const;
  return [
    ...data.flatMap(([format, texts]) =>
      texts.map((text): Entries => [...start('import'), ['format', format], ['data', text]]),
    ),
    ...['type', 'overwriteBehavior', 'dateFormat', 'returnContent'].map((name): Entries => [
      ...start('import'),
      ['format', 'json'],
      [name, 'nonesuch'],
      ['data', '[]'],
    ]),
    [...start('import'), ['format', 'json'], ['returnContent', 'auto_ids'], ['data', '[]']],
    [...start('delete'), ['format', 'json']],
    [...start('delete'), ['records', record], ['arm', 'x']],
    [...start('rename'), ['record', record]],
    [...start('nonesuch'), ['format', 'csv']],
    [
      ['content', 'file'],
      ['action', 'import'],
      ['record', record],
      ['field', file],
      ...(event === undefined ? [] : [['event', event] as Entries[number]]),
    ],
  ];
}

function changeOf(request: Request, id: string, random: SeededRandom): ApiCall {
  const { method = 'GET', path, body = '{}' } = request;
  const { pathname, searchParams: query } = new URL(path, 'http://localhost');
  const [, , , , record = '', part, field = ''] = pathname.split('/');
  const given = (name: string, as = name): Entries => {
    const value = query.get(name);
    return value === null ? [] : [[as, value]];
  };
  if (part === 'files') {
    const action = { PUT: 'import', GET: 'export', DELETE: 'delete' }[method] ?? '';
    const entries: Entries = [
      ['content', 'file'],
      ['action', action],
      ['record', record],
      ['field', field],
    ];
    return {
      entries: [...entries, ...given('event'), ...given('instance', 'repeat_instance')],
      ...(method === 'PUT' && { file: { name: query.get('fileName') ?? '', text: body } }),
    };
  }
  const sent = JSON.parse(body) as Readonly<Record<string, unknown>>;
  if (part === 'rename')
    return {
      entries: [...start('rename'), ['record', record], ['new_record_name', String(sent['newRecord'])]],
    };
  if (part === 'randomize')
    return { entries: [...start('randomize'), ['record', record], ['randomization_id', '1']] };
  if (method === 'DELETE' || record === 'delete') {
    const records = method === 'DELETE' ? [record] : (sent['records'] as string[]);
    const named = records.map((each, at): [string, string] => [`records[${at}]`, each]);
    return { entries: [...start('delete'), ...named, ...given('instrument'), ...given('event')] };
  }
  const [row = {}] = sent['records'] as Row[];
  const values = eavOf(row, id);
  const hasValues = values.length > 0;
  const format = random.pick(['json', 'csv', 'xml', ...(hasValues ? ['odm' as const] : [])] as const);
  const rows = format !== 'odm' && hasValues && random.chance(0.5) ? values : [row];
  const [delimiter, name] = random.pick<readonly [string, string]>([
    [',', ''],
    ['\t', 'tab'],
    [';', ';'],
  ]);
  return {
    entries: [
      ...start('import'),
      ['format', format],
      ['type', rows[0] === row ? 'flat' : 'eav'],
      ['returnContent', random.pick(['count', 'ids', 'nothing', ''])],
      ...given('overwriteBehavior'),
      ['csvDelimiter', name],
      ['data', format === 'odm' ? odmOf(row, id) : WRITERS[format](rows, delimiter)],
    ],
  };
}

function start(action: string): Entries {
  return [
    ['content', 'record'],
    ['action', action],
  ];
}

/** The values of a row, one by one. A box that is not checked has none. */
function eavOf(row: Row, id: string): Row[] {
  const cells = Object.entries(row);
  const place = cells.filter(([name]) => PLACE.includes(name));
  return cells
    .filter(
      ([name, value]) => name !== id && !PLACE.includes(name) && !(name.includes('___') && value === '0'),
    )
    .map(([name, value]) => {
      const [field = '', code] = name.split('___');
      return {
        record: row[id] ?? '',
        ...Object.fromEntries(place),
        field_name: field,
        value: code === undefined ? value : code.replace(/^_/, '-').toUpperCase(),
      };
    });
}

/** A row in ODM. Only a form that repeats has to be named. */
function odmOf(row: Row, id: string): string {
  const text = (name: string): string => (row[name] ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'); // prettier-ignore
  const [event, form, instance] = PLACE.map(text);
  const items = Object.keys(row)
    .filter((name) => name !== id && !PLACE.includes(name))
    .map((name) => `<ItemData ItemOID="${name}" Value="${text(name)}"/>`);
  const data = `<FormData FormOID="Form.${form}" FormRepeatKey="${form ? instance : ''}">${items.join('')}</FormData>`;
  const place = `StudyEventOID="Event.${event}" StudyEventRepeatKey="${form ? 1 : instance}"`;
  const within = event ? `<StudyEventData ${place}>${data}</StudyEventData>` : data;
  return `<ODM><ClinicalData><SubjectData SubjectKey="${text(id)}">${within}</SubjectData></ClinicalData></ODM>`;
}

const WRITERS: Readonly<Record<'json' | 'csv' | 'xml', (rows: readonly Row[], delimiter: string) => string>> =
  {
    // Some clients send numbers.
    json: (rows) => JSON.stringify(rows).replace(/:"([1-9]\d{0,5})"/g, ':$1'),
    csv: (rows, delimiter) => {
      const names = Object.keys(rows[0] ?? {});
      const cell = (text = ''): string => `"${text.replaceAll('"', '""')}"`;
      return [names, ...rows.map((row) => names.map((name) => row[name]))]
        .map((cells) => cells.map(cell).join(delimiter))
        .join('\n');
    },
    xml: (rows) => {
      const element = ([name, text]: [string, string]): string => `<${name}><![CDATA[${text}]]></${name}>`;
      const items = rows.map((row) => `<item>${Object.entries(row).map(element).join('')}</item>`);
      return `<?xml version="1.0" encoding="UTF-8" ?><records>${items.join('')}</records>`;
    },
  };
