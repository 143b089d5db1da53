import { expect } from 'chai';
import { Fragment, jsx } from 'hono/jsx';
import { choicesOf } from '../../../src/domain/dictionary/choices.js';
import { withoutTags } from '../../../src/domain/dictionary/without-tags.js';
import { LANGUAGES } from '../../../src/pages/texts/texts.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy, STUDY_NAMES, type StudyName } from '../../../src/sandbox/named-study.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import { pagesOf, signedInClient } from '../../support/every-page.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startWholeService } from '../../support/start-whole-service.js';

/** What pages show that is no text of theirs: the name of the service, and what the sandbox and people call things. */
const DATA =
  /CRF Service(?: \(sandbox\) Login)?|[\w.]+@[\w.]+|\b[\da-f]{32}\b|\b[A-Z]+-2026-PARTICIPANT-\d{4}|\d{4}-\d\d-\d\dT[\d:]+|REDCap|SVG|CSV/g;

/** Returns what a study calls things, and the values of its first rows, with the longest first. */
async function wordsOfStudy(name: StudyName): Promise<readonly string[]> {
  const {
    project,
    fields,
    instruments,
    events,
    groups = [],
    users,
    rows,
  } = await createNamedStudy({ study: name, until: LAST_DAY });
  const words = [
    project.title,
    ...fields.flatMap((field) => [field.name, withoutTags(field.label)]),
    ...fields.flatMap((field) => choicesOf(field).map(({ label }) => withoutTags(label))),
    ...[...instruments, ...events].map(({ label }) => label),
    ...[...groups, ...users].flatMap((each) =>
      Object.values(each).filter((text) => typeof text === 'string'),
    ),
    ...rows.slice(0, 10).flatMap((row) => Object.values(row)),
  ];
  return [...new Set(words)]
    .filter((word) => /\p{L}/u.test(word))
    .map((word) => word.replace(/'/g, '&#39;'))
    .sort((one, other) => other.length - one.length);
}

/** Returns a text without what the study calls things, which a plot may cut. */
function withoutData(text: string, words: readonly string[]): string {
  const rest = text.replace(DATA, '');
  const [, start] = /^\s*(.*)…$/.exec(rest) ?? [];
  if (start !== undefined && words.some((word) => word.startsWith(start))) return '';
  return words.reduce((left, word) => left.replaceAll(word, ''), rest);
}

const EMAIL = 'grace.hopper@example.org';

/** Puts every text of a catalogue in brackets, also those that functions return. */
function bracketed(texts: unknown): unknown {
  if (typeof texts === 'string') return `⟦${texts}⟧`;
  if (typeof texts === 'function')
    return (...given: unknown[]): unknown => bracketed((texts as (...given: unknown[]) => unknown)(...given));
  if (typeof texts !== 'object' || texts === null) return texts;
  if ('toStringToBuffer' in texts) return jsx(Fragment, {}, '⟦', texts as never, '⟧');
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, bracketed(text)]));
}

/** Returns the texts of a page outside of brackets, unless they are data or their element states that they are English. */
function unbracketed(html: string, words: readonly string[] = []): string[] {
  const found: string[] = [];
  const open: boolean[] = [];
  let depth = 0;
  for (const [token] of html.slice(html.indexOf('<html')).matchAll(/<[^>]*>|[^<]+/g)) {
    const isOwn = open.at(-1) ?? true;
    if (token.startsWith('</')) open.pop();
    else if (token.startsWith('<')) {
      const texts = token.matchAll(
        / (?:aria-label|placeholder|title|alt|content|data-(?!png)[a-z-]+)="([^"]*)"/g,
      );
      const isMeta = /^<meta|^<a |data-events/.test(token) && !token.includes('aria-label');
      if (isOwn && !isMeta)
        found.push(...[...texts].map(([, text = '']) => text.replace(/⟦(?:[^⟦⟧]|⟦[^⟧]*⟧)*⟧/g, '')));
      if (!/^<(?:meta|link|img|input|br|hr)\b/.test(token) && !token.endsWith('/>'))
        open.push(isOwn && !/ lang="en"|^<(?:pre|code|script)\b/.test(token));
    } else if (isOwn)
      for (const [, bracket, text] of token.matchAll(/([⟦⟧])|([^⟦⟧]+)/g)) {
        depth += bracket === '⟦' ? 1 : bracket === '⟧' ? -1 : 0;
        if (depth === 0 && text !== undefined) found.push(text);
      }
    else depth += token.split('⟦').length - token.split('⟧').length;
  }
  return found.map((text) => withoutData(text, words)).filter((text) => /\p{L}/u.test(text));
}

const GERMAN = LANGUAGES.de;

/** Files for the page that checks one, in the classic study. */
const FILES = [
  ['faulty', 'record_id,age\nCOHORT-2026-PARTICIPANT-0001,forty\n'],
  ['valid', 'record_id,last_name,age,nonesuch\nCOHORT-2026-PARTICIPANT-0001,Curie,180\n'],
  ['without rows', 'record_id,age\n'],
  ['unreadable', 'record_id,age\n"COHORT'],
  ['with a date in another order', 'record_id,enrolled\nCOHORT-2026-PARTICIPANT-0001,31/12/2026\n'],
  ['of labels', 'record_id,Age of person,Age of person\nCOHORT-2026-PARTICIPANT-0001,1,2\n'],
] as const;

for (const study of STUDY_NAMES)
  describe(`The texts of pages of the ${study} study`, () => {
    let service: RunningServer;
    let client: SignInClient;
    let words: readonly string[];
    before(async () => {
      words = await wordsOfStudy(study);
      service = await startWholeService({
        SANDBOX_STUDY: study,
        SESSION_SCOPES: 'project:read,records:read,records:write,log:read,files:read',
        LOGIN_CONFIRM: 'unbound',
        SHOW_ALLOWED_DOMAINS: 'true',
        HELP_URL: 'mailto:help@example.org',
      });
      client = await signedInClient(service.url, EMAIL);
      LANGUAGES.de = { ...(bracketed(LANGUAGES.en) as typeof GERMAN), lang: 'de' };
    });
    after(async () => {
      LANGUAGES.de = GERMAN;
      await service.stop();
    });

    const headers = { accept: 'text/html', 'accept-language': 'de' };
    const pages: [name: string, open: () => Promise<Response>][] = [
      ...pagesOf(study).map(({ name, path }): [string, () => Promise<Response>] => [
        name,
        () => client.send(path, { headers }),
      ]),
      ...['/dashboard?interval=week&by=dag&field=sex', '/dashboard?from=2026-01-01&dag=-'].map(
        (path): [string, () => Promise<Response>] => [path, () => client.send(path, { headers })],
      ),
      [
        'link',
        async () =>
          new SignInClient(service.url).send(await client.link('ada.lovelace@example.org'), { headers }),
      ],
      ['refused-address', () => send('/login/send', 'email=mallory%40example.com')],
      ['wrong-code', () => send('/login/code', 'code=WDJB-MJHT')],
      ...FILES.map(([name, file]): [string, () => Promise<Response>] => [
        `a file: ${name}`,
        () => sendFile(file),
      ]),
      ['only-a-form', () => client.send('/login/send', { headers })],
    ];
    const send = (path: string, body: string) =>
      client.post(path, body, { ...headers, 'content-type': 'application/x-www-form-urlencoded' });

    const sendFile = (content: string) => {
      const form = new FormData();
      form.append('limits', 'warn');
      form.append('file', new Blob([content], { type: 'text/csv' }), 'file.csv');
      return client.send('/try-file', {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
        body: form,
      });
    };

    for (const [name, open] of pages)
      it(`LANG-02: come from the catalogue, or are marked as English: ${name}`, async () => {
        const page = await (await open()).text();

        expect(page).to.include('<html lang="');
        expect(unbracketed(page, words)).to.deep.equal([]);
        expect(page).to.not.include('<span lang="en">');
      });
  });

describe('The texts of pages', () => {
  it('LANG-02: are found if they do not', () => {
    expect(
      unbracketed(
        '<html lang="de"><p title="Why">⟦a <b>b</b>⟧ plain <i lang="en">c</i></p><p>⟦d⟧</p></html>',
      ),
    ).to.deep.equal(['Why', ' plain ']);
  });

  it('lead to the same places in every language', () => {
    const places = (texts: unknown): string[] =>
      typeof texts === 'object' && texts !== null && !('toStringToBuffer' in texts)
        ? Object.values(texts).flatMap(places)
        : [...String(texts).matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);

    expect(places(GERMAN)).to.deep.equal(places(LANGUAGES.en));
    expect(places(GERMAN)).to.include('/login');
  });
});
