import { expect } from 'chai';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { defineInstrument } from '../../support/define-instrument.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { createLongitudinalStudy } from '../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { TRIAL_STUDY } from '../../../src/sandbox/longitudinal-study/trial-design.js';
import { startServiceWithAuth } from '../../support/start-service-with-auth.js';
import { bareClient } from '../../support/fault-client.js';
import { freePort } from '../../support/free-port.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { PREFIX, startService } from '../../support/start-service.js';

/** The maximum size of a page in bytes. */
const BUDGET_BYTES = 200_000;

/** The headers that Chromium sends for an address typed by a person. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };

/** Opens the dashboard of a study as an anonymous visitor of an open service. */
async function onDashboardOf<T>(
  study: Study,
  work: (
    get: (path: string, language?: string) => Promise<{ status: number; text: string }>,
    send: (path: string, body: object) => Promise<unknown>,
  ) => Promise<T>,
): Promise<T> {
  // On a sandbox, everyone has every scope.
  const service = await startStudyService(study, { access: { allowAnonymous: true }, sandbox: {} });
  try {
    return await work(
      (path, language) => read(service, path, language),
      async (path, body) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(service.url + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        expect(answer.status).to.equal(200);
      },
    );
  } finally {
    await service.close();
  }
}

async function read({ url }: Pick<StudyService, 'url'>, path: string, language = 'en') {
  const answer = await fetch(url + path, { headers: { ...BROWSER, 'accept-language': language } });
  return { status: answer.status, text: await answer.text() };
}

/** Returns the links of a page that match. */
function links(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(/href="([^"]+)"/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&').replaceAll('&quot;', '"'))
    .filter((href) => pattern.test(href));
}

/** A study with many instruments of many fields, at many events. */
function largeStudy({ instruments, fields, events }: Record<'instruments' | 'fields' | 'events', number>) {
  const study = classicStudy();
  const names = Array.from({ length: instruments }, (_, index) => `form_${index}`);
  const longitudinal = {
    arms: [{ number: 1, name: 'Arm 1' }],
    events: Array.from({ length: events }, (_, index) => ({
      uniqueName: `month_${index}_arm_1`,
      label: `Month ${index}`,
      arm: 1,
    })),
  };
  return {
    ...study,
    fields: names.flatMap((name) =>
      defineInstrument(
        name,
        Array.from({ length: fields }, (_, index) => ({
          name: name === 'form_0' && index === 0 ? 'id' : `${name}_value_${index}`,
          type: 'text' as const,
          label: `The value number ${index} of the instrument ${name}`,
          ...(index > 0 && { validationType: 'integer' as const }),
        })),
      ),
    ),
    instruments: names.map((name) => ({ name, label: `The instrument ${name}` })),
    rows: ['A-1', 'A-2'].map((id) => ({
      id,
      form_1_value_1: '7',
      form_1_complete: '2',
      ...(events > 0 && { redcap_event_name: 'month_0_arm_1' }),
    })),
    ...(events > 0 && {
      ...longitudinal,
      mappings: longitudinal.events.flatMap(({ uniqueName }) =>
        names.map((instrument) => ({ event: uniqueName, instrument })),
      ),
    }),
  } satisfies Study;
}

/** A time of REDCap's server in Paris, which keeps its offset for programs. */
const TIME_OF_LOG =
  /<time datetime="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00">\d+ \w+ \d{4}, \d\d:\d\d CES?T<\/time>/;

/** A count of the grid with its link. */
const COUNTS = new RegExp(`<td[^>]*><a href="(${PREFIX}/dashboard/forms[^"]+)">(\\d+)</a>`, 'g');

describe('GET /dashboard', () => {
  it('shows a study of 5,000 fields on a page of less than 200 kB, and a field that is entered', async () => {
    const study = largeStudy({ instruments: 50, fields: 100, events: 0 });

    await onDashboardOf(study, async (get) => {
      await get('/dashboard/plots/quality.csv'); // waits for the findings, as the page does not
      const { status, text } = await get('/dashboard?field=form_1_value_1');
      const unknown = await get('/dashboard?field=nonesuch');

      expect(status).to.equal(200);
      expect(text.length).to.be.below(BUDGET_BYTES);
      expect(text).to.include('open findings').and.include('<input id="field" name="field"');
      expect(text).to.include('2 values, 0 missing. Median 7, from 7 to 7.');
      expect(unknown.status).to.equal(200);
      expect(unknown.text).to.include('There are no figures for this field.');
    });
  });

  it('draws a large design as a heat map of constant size, with the whole grid in its file', async () => {
    const study = largeStudy({ instruments: 20, fields: 3, events: 15 });

    await onDashboardOf(study, async (get) => {
      const { text } = await get('/dashboard');
      const { text: csv } = await get('/dashboard/plots/completeness.csv');

      expect(text.length).to.be.below(BUDGET_BYTES);
      expect([...text.matchAll(/class="heat-\d" x=/g)]).to.have.length(300);
      // Two of two records have the form at the first event, so its tile is the darkest.
      expect([...text.matchAll(/class="heat-4" x=/g)]).to.have.length(1);
      expect(text).to.include('class="plot natural"').and.include('the first 200 of 300 rows');
      expect(csv.trim().split('\r\n')).to.have.length(301);
    });
  });

  it('leads from every count of the grid to a list of as many forms, and from there to the record', async () => {
    await onDashboardOf(longitudinalStudy(), async (get) => {
      const { text } = await get('/dashboard');
      const lists = links(text, new RegExp(`^${PREFIX}/dashboard/forms\\?.*event=`));

      expect(text).to.include('The visit, start').and.include('The visit, end').and.include('(repeats)');
      const counts = [...text.matchAll(COUNTS)];
      expect(counts.length).to.be.above(0);
      for (const [, href = '', count = ''] of counts)
        expect((await get(href.replaceAll('&amp;', '&'))).text, href).to.include(`data-total="${count}"`);
      const meds = lists.find((list) => list.includes('instrument=meds')) ?? '';
      const page = (await get(meds)).text;
      const csv = await get(links(page, /forms\.csv/)[0] ?? '');
      expect(csv.text).to.equal(
        [
          'record,dag,event,instrument,instance,status,joined',
          'A-1,,start_arm_1,meds,1,incomplete,',
          'A-1,,start_arm_1,meds,2,incomplete,',
          '',
        ].join('\n'),
      );
      const record = (await get(links(page, /records\/A-1/)[0] ?? '')).text;
      expect(record).to.include('Record A-1').and.include('drug x').and.not.include('in REDCap');
      expect((await get('/dashboard/records/nonesuch')).status).to.equal(404);
    });
  });

  it('sorts, searches and pages a list, and names the rule that a filter breaks', async () => {
    await onDashboardOf(createDemoStudy(), async (get) => {
      const first = (await get('/dashboard/records?sort=-record')).text;
      const second = (await get('/dashboard/records?sort=-record&page=2')).text;
      const found = (await get('/dashboard/records?record=0249')).text;

      const recordsOn = (page: string) => links(page, new RegExp(`^${PREFIX}/dashboard/records/COHORT`));
      expect(first).to.include('data-total="250"').and.include('aria-sort="descending"');
      expect([...recordsOn(first), ...recordsOn(second)]).to.have.length(100);
      expect(recordsOn(first)[0]).to.include('0250');
      expect(recordsOn(second)[0]).to.include('0200');
      expect(recordsOn(found)).to.have.length(1);
      for (const [query, rule] of [
        ['instrument=nonesuch', 'is not an instrument of this project'],
        ['from=2026-13-01', 'must be a day'],
        ['from=2026-02-01&until=2026-01-01', 'must not be later than until'],
        ['page=0', 'must be from 1 to 200'],
      ] as const) {
        const { status, text } = await get(`/dashboard/forms?${query}`);
        expect(status, query).to.equal(400);
        expect(text, query).to.include(rule);
      }
    });
  });

  it('names the file of a list after the study and what it lists', async () => {
    const service = await startStudyService(longitudinalStudy(), {
      access: { allowAnonymous: true },
      sandbox: {},
    });
    try {
      const { headers } = await fetch(`${service.url}/dashboard/forms.csv?instrument=visit&status=notBegun`);
      expect(headers.get('content-disposition')).to.match(
        /^attachment; filename="test-visit-not-begun-\d{4}-\d\d-\d\d\.csv"$/,
      );
    } finally {
      await service.close();
    }
  });

  it('GW-07: leads from who is overdue in a data access group to the list, its files and a record', async () => {
    const { schedule, optional } = TRIAL_STUDY;
    const today = LAST_DAY;
    const study = { schedule, optional, today };
    const trial = createLongitudinalStudy({ participants: 40 });
    const service = await startStudyService(trial, { access: { allowAnonymous: true }, sandbox: {}, study });
    try {
      const page = (await read(service, '/dashboard/due')).text;
      const list = links(page, /due\?dag=krakow&state=overdue/)[0] ?? '';
      const count = new RegExp(`${list.replaceAll('&', '&amp;').replace('?', '\\?')}">(\\d+)<`).exec(
        page,
      )?.[1];
      const vitals = `${list}&instrument=vitals&event=week_12_arm_1`;
      const { text } = await read(service, vitals);
      const csv = await fetch(service.url + (links(text, /due\.csv/)[0] ?? ''));
      const calendar = service.url + (links(text, /due\.ics/)[0] ?? '');
      const ics = await fetch(calendar);
      const german = await fetch(calendar, { headers: { 'accept-language': 'de' } });
      const [first = ''] = links(text, /dashboard\/records\/TRIAL/);

      expect((await read(service, list)).text).to.include(`data-total="${count}"`);
      expect(csv.headers.get('content-disposition')).to.include(
        'filename="trial-2026-synthetic-vitals-week-12-arm-1-krakow-overdue-2026-11-03.csv"',
      );
      const rows = (await csv.text()).trim().split('\n').slice(1);
      expect(rows)
        .to.have.length(links(text, /dashboard\/records\/TRIAL/).length)
        .and.not.have.length(0);
      for (const row of rows) expect(row).to.match(/,krakow,week_12_arm_1,overdue,2026-.*vitals/);
      expect(ics.headers.get('content-type')).to.equal('text/calendar; charset=utf-8');
      const entries = await ics.text();
      expect(entries.match(/BEGIN:VEVENT/g)).to.have.length(rows.length);
      expect(entries).to.match(/^DESCRIPTION:Planned for \d+ \w+ 2026\. Not begun: /m);
      expect(await german.text()).to.match(/^DESCRIPTION:Geplant für \d\d\.\d\d\.2026\. Nicht begonnen: /m);
      expect((await read(service, first)).text).to.include('Vital signs');
      expect((await read(service, '/dashboard/due?state=nonesuch')).status).to.equal(200);
    } finally {
      await service.close();
    }
  });

  it('shows the values of a record with the labels of its choices, its file, its log and where it is in REDCap', async () => {
    const service = await startStudyService(createLongitudinalStudy({ participants: 4 }), {
      access: { allowAnonymous: true },
      sandbox: {},
      redcapUrl: 'https://redcap.example.org/app/api/',
      timeZone: 'Europe/Paris',
    });
    try {
      const record = 'TRIAL-2026-PARTICIPANT-0001';
      const { text } = await read(service, `/dashboard/records/${record}`);
      const list = (await read(service, '/dashboard/records')).text;
      const [file = ''] = links(text, /\/files\//);
      const answer = await fetch(service.url + file);
      const svg = (await read(service, '/dashboard/plots/quality.svg')).text;

      for (const [, anchor = ''] of text.matchAll(/href="#([^"]+)">(?:Complete|Incomplete|Unverified)/g))
        expect(text).to.include(`<div id="${anchor}">`);
      expect(text)
        .to.include('<summary>Week 4: Vital signs</summary>')
        .and.match(/>(?:Female|Male|Intersex)<\/td>/);
      expect(answer.headers.get('content-type')).to.equal('application/pdf');
      expect(text).to.match(TIME_OF_LOG);
      expect(text).to.not.include('Times are those of');
      expect(svg).to.match(/as of \d+ \w+ \d{4}, \d\d:\d\d CES?T\./);
      for (const page of [text, list])
        expect(links(page, /record_home/).find((link) => link.includes(record))).to.match(
          /^https:\/\/redcap\.example\.org\/app\/redcap_v[\d.]+\/DataEntry\/record_home\.php\?pid=\d+&arm=[12]&id=TRIAL-2026-PARTICIPANT-0001$/,
        );
    } finally {
      await service.close();
    }
  });

  it('LANG-04: shows the times of a log whose zone is not known as those of the server', async () => {
    await onDashboardOf(createLongitudinalStudy({ participants: 4 }), async (get) => {
      const path = '/dashboard/records/TRIAL-2026-PARTICIPANT-0001';

      expect((await get(path)).text)
        .to.include('Times are those of REDCap’s server')
        .and.match(/<time datetime="\d{4}-\d\d-\d\dT[\d:]{8}">\d+ \w+ \d{4}, \d\d:\d\d<\/time>/);
      expect((await get(path, 'de')).text)
        .to.include('Die Zeiten sind die des REDCap-Servers')
        .and.match(/<time datetime="\d{4}-\d\d-\d\dT[\d:]{8}">\d\d\.\d\d\.\d{4}, \d\d:\d\d<\/time>/);
    });
  });

  it('GW-08: shows part of the study, whose figures, links and files are of that part', async () => {
    await onDashboardOf(createLongitudinalStudy({ participants: 40 }), async (get) => {
      const whole = (await get('/dashboard')).text;
      const query = '?dag=krakow&arm=2&event=week_4_arm_2&from=2025-11-01&until=2026-09-30';
      const { text } = await get(`/dashboard${query}`);
      const figure = (page: string): number => Number(/<strong>(\d+)<\/strong><span>records/.exec(page)?.[1]);
      const lists = [
        ...text.matchAll(
          new RegExp(`<td[^>]*><a href="(${PREFIX}/dashboard/(?:forms|records)[^"]+)">(\\d+)<`, 'g'),
        ),
      ];

      expect(figure(whole)).to.equal(40);
      expect(figure(text)).to.be.within(1, 9);
      expect(text).to.include('<option value="krakow" selected').and.include('value="2026-09-30"');
      expect(text).to.include('The whole study').and.not.include('activity-heading');
      expect(lists.length).to.be.above(1);
      for (const [, href = '', count = ''] of lists) {
        expect(href)
          .to.include('dag=krakow')
          .and.include('arm=2')
          .and.match(/until=202[56]-/);
        expect((await get(href.replaceAll('&amp;', '&'))).text, href).to.include(`data-total="${count}"`);
      }
      const [file = ''] = links(text, /plots\/completeness.csv/);
      const rows = (await get(file)).text.trim().split('\r\n').slice(1);
      expect(rows).to.have.length(2);
      for (const row of rows)
        expect(row)
          .to.include('"')
          .and.match(new RegExp(`Week 4.*,${figure(text)},`));
      expect(text).to.include('0 values, 0 missing'); // the age is asked at another event
      expect((await get('/dashboard?event=nonesuch')).status).to.equal(400);
    });
  });

  it('reports on the study, or a part of it, without scripts and with the visits that are due', async () => {
    const { schedule, optional } = TRIAL_STUDY;
    const today = LAST_DAY;
    const study = { schedule, optional, today };
    const trial = createLongitudinalStudy({ participants: 40 });
    const service = await startStudyService(trial, { access: { allowAnonymous: true }, sandbox: {}, study });
    try {
      const { text } = await read(service, '/dashboard/report?dag=krakow&arm=2');
      const list = await read(service, '/dashboard/due?dag=krakow&arm=2&state=overdue');
      const [, overdue = ''] = /Visits: (\d+) overdue/.exec(text) ?? [];

      expect(text).to.include('Data access group: Krakow, arm 2. Figures of').and.not.include('<script');
      expect(text)
        .to.match(/<h2[^>]*>Recruitment/)
        .and.match(/<h2[^>]*>Completeness/);
      expect(list.text).to.include(`data-total="${overdue}"`);
    } finally {
      await service.close();
    }
  });

  it('GW-08: compares how many days the data access groups take to enter a visit, of the whole study or an event', async () => {
    const { schedule } = TRIAL_STUDY;
    const today = LAST_DAY;
    const trial = createLongitudinalStudy({ participants: 60 });
    const study = { schedule, today };
    const service = await startStudyService(trial, { access: { allowAnonymous: true }, sandbox: {}, study });
    try {
      const csv = async (query = '') =>
        (await read(service, `/dashboard/plots/dags.csv${query}`)).text.trim().split('\r\n');
      const [head, ...rows] = await csv();
      const ofEvent = await csv('?event=week_12_arm_1');
      const { text } = await read(service, '/dashboard');
      const german = await fetch(`${service.url}/dashboard/report`, { headers: { 'accept-language': 'de' } });
      const days = rows.map((row) => row.split(',').at(-1) ?? '');

      expect(head).to.match(/,Open findings,New findings,Days to entry$/);
      expect(days).to.have.length(4).and.not.include('');
      expect(ofEvent.slice(1)).to.have.length(4).and.not.deep.equal(rows);
      expect(text).to.include('Days to entry: the median from a visit to the entry of its date');
      for (const each of days) expect(text).to.include(`>${each}</td>`);
      expect((await german.text()).replaceAll('\u00ad', ''))
        .to.include('>Tage bis zur Eingabe<')
        .and.include('Tage bis zur Eingabe: der Median von der Visite');
    } finally {
      await service.close();
    }
  });

  it('reports in two columns of about the same height, also if a study has few forms', async () => {
    await onDashboardOf(classicStudy(), async (get) => {
      const { text } = await get('/dashboard/report');
      const [left = '', right = ''] = text.split('<div class="glance">')[1]?.split('</div><div>') ?? [];

      expect(left).to.match(/<h2[^>]*>Recruitment/);
      expect(right)
        .to.match(/<h2[^>]*>Completeness/)
        .and.match(/<h2[^>]*>Missing data/);
    });
  });

  it('GW-05: reports no small counts to those who may not read records', async () => {
    const running = await startServiceWithAuth();
    try {
      const text = await (await (await running.signedIn('grace')).send('/dashboard/report')).text();

      expect(text).to.include('Counts from 1 to 4 are left out').and.include('Completeness');
      expect(text).to.not.include('Visits:').and.not.include('Open findings');
    } finally {
      await running.close();
    }
  });

  it('GW-08: shows no part of the study to those who may not read records', async () => {
    const running = await startServiceWithAuth();
    try {
      const person = await running.signedIn('grace');
      for (const path of ['/dashboard?from=2026-01-01', '/dashboard/plots/dags.csv?dag=-'])
        expect(await person.status(path), path).to.equal(403);
      expect(await (await person.send('/dashboard')).text()).to.not.include('Joined from');
    } finally {
      await running.close();
    }
  });

  it('says in one line how to plan visits if nobody has', async () => {
    await onDashboardOf(longitudinalStudy(), async (get) => {
      const { text } = await get('/dashboard/due');

      expect(text).to.include('No visit is planned').and.include('STUDY_FILE');
      // Nothing is there to choose from.
      expect(text).to.not.include('<select').and.not.include('No visits match');
    });
  });

  it('offers to split by arm if there are several, and by data access group if there are groups', async () => {
    await onDashboardOf(armsStudy(), async (get) => {
      const { text } = await get('/dashboard?field=mood&by=arm');

      expect(text).to.include('<option value="arm" selected').and.not.include('<option value="dag"');
      expect(text).to.include('Arm 1').and.include('Arm 2');
      // Events of different arms may have the same label.
      expect(text).to.include('The enrol, Start, arm 1').and.include('The enrol, Start, arm 2');
      expect(text).to.include('Data access groups: the project has none.');
    });
    const groups = [
      { uniqueName: 'north', name: 'North', id: 1 },
      { uniqueName: 'south', name: 'The <far> South', id: 2 },
    ];
    const classic = classicStudy();
    const rows = classic.rows.map((row, index) => ({
      ...row,
      ...(index > 0 && { redcap_data_access_group: 'south' }),
    }));
    await onDashboardOf({ ...classic, groups, rows }, async (get) => {
      const { text } = await get('/dashboard?field=age&by=dag');
      const { text: csv } = await get('/dashboard/plots/dags.csv');

      expect(text).to.include('Records of 2 data access groups. Most are in The &lt;far&gt; South: 2.');
      expect(text).to.include('<option value="dag" selected').and.not.include('<far>');
      expect(csv).to.include(
        'DAG,Records,Forms,Complete,Complete in %,Open findings,New findings\r\nThe <far> South,2,',
      );
      expect(csv)
        .to.include('\r\nNo data access group,1,')
        .and.match(/\r\nNorth,0,0,0,,\d,0\r\n$/);
    });
  });

  it('says that REDCap is away before there are any figures, and asks again by itself', async () => {
    const service = await startService({
      access: { allowAnonymous: true },
      sandbox: {},
      capture: bareClient(`http://127.0.0.1:${await freePort()}/api/`),
    });
    try {
      const answer = await fetch(`${service.url}/dashboard`, { headers: BROWSER });

      expect([answer.status, answer.headers.get('refresh')]).to.deep.equal([503, '15']);
      expect(await answer.text()).to.match(/REDCap did not answer at <time datetime="20/);
    } finally {
      await service.close();
    }
  });

  it('shows a study without records, without empty plots', async () => {
    await onDashboardOf({ ...classicStudy(), rows: [] }, async (get) => {
      const { status, text } = await get('/dashboard');

      expect(status).to.equal(200);
      expect(text)
        .to.include('<strong>0</strong>')
        .and.not.match(/NaN|Infinity|undefined/);
      expect(text).to.include('No records yet').and.to.not.include('/dashboard/plots/completeness');
    });
  });

  it('counts activity by day for those who may read the log', async () => {
    await onDashboardOf(createDemoStudy(), async (get) => {
      await get('/api/v1/records?limit=1');
      const { text } = await get('/dashboard');
      const { text: csv } = await get('/dashboard/plots/activity.csv');

      expect(text).to.match(/In the last 28 days of the log: \d+ saves, \d+ imports, [1-9]\d* exports\./);
      expect(csv.trim().split('\r\n')).to.have.length(29);
    });
  });

  it('counts the same findings as GET /project/quality, and links to the rows', async () => {
    await onDashboardOf(createDemoStudy(), async (get) => {
      const { summary } = JSON.parse((await get('/api/v1/project/quality?format=json')).text) as {
        summary: { findings: number; rules: Record<string, number> };
      };
      const { text } = await get('/dashboard/plots/quality.csv');
      const page = (await get('/dashboard')).text;

      expect(summary.findings).to.be.above(0);
      for (const [rule, count] of Object.entries(summary.rules))
        expect(text).to.include(`(${rule}),${count}\r\n`);
      expect(page).to.include(`${summary.findings} findings in 250 records`);
      for (const [rule, count] of Object.entries(summary.rules).filter(([, found]) => found > 0)) {
        const [list = ''] = links(page, new RegExp(`/findings\\?rule=${rule}$`));
        expect((await get(list)).text, rule).to.include(`data-total="${count}"`);
      }
    });
  });

  it('counts the findings on what was entered in the last week, and leads to exactly these', async () => {
    await onDashboardOf(createDemoStudy(), async (get, send) => {
      const before = (await get('/dashboard')).text;
      await send('/api/v1/records', [
        { record_id: 'COHORT-2026-PARTICIPANT-0001', age: '130', demographics_complete: '1' },
      ]);
      const page = (await get('/dashboard?from=2000-01-01')).text;
      const report = (await get('/dashboard/report?from=2000-01-01')).text;

      expect(links(before, /changedFrom/)).to.deep.equal([]);
      const [every = ''] = links(page, /findings\?changedFrom=/);
      const ofRule = (await get(`${every}&rule=out_of_range`)).text;
      expect(ofRule).to.include('data-total="1"').and.include('PARTICIPANT-0001');
      const [, count] = /(\d+) findings? on what was entered/.exec(page) ?? [];
      expect((await get(every)).text).to.include(`data-total="${count}"`);
      expect(report).to.match(new RegExp(`>${count} findings? on what was entered or changed since \\d`));
      const csv = (await get(every.replace('/findings?', '/findings.csv?'))).text;
      expect(csv.trim().split('\n')).to.have.length(Number(count) + 1);
    });
  });

  it('GW-06: counts them by data access group, and leads to exactly these', async () => {
    await onDashboardOf(createLongitudinalStudy({ participants: 8 }), async (get, send) => {
      const participant = {
        record_id: 'TRIAL-2026-PARTICIPANT-0001',
        redcap_event_name: 'enrolment_arm_2',
      };
      await send('/api/v1/records', [{ ...participant, age: '130', enrolment_complete: '1' }]);
      const [head, ...rows] = (await get('/dashboard/plots/dags.csv')).text.trim().split('\r\n');
      const page = (await get('/dashboard')).text;
      const lists = links(page, /findings\?dag=[^&]+&changedFrom=/);

      expect(head).to.match(/,Open findings,New findings$/);
      expect(rows.map((row) => Number(row.split(',').at(-1))).sort()).to.deep.equal([0, 0, 0, 1]);
      expect(lists).to.have.length(1);
      expect((await get(lists[0] ?? '')).text)
        .to.include('data-total="1"')
        .and.include('PARTICIPANT-0001');
      expect(page).to.include('New findings: on what was entered or changed since');
    });
  });

  it('links to no records and shows no small counts without the right to read records', async () => {
    const running = await startServiceWithAuth();
    try {
      const person = await running.signedIn('grace');
      const page = await (await person.send('/dashboard')).text();

      expect(page).to.include('Counts from 1 to 4 are left out').and.include('Completeness');
      expect(page).to.not.include('/api/v1/').and.not.include('quality-heading');
      expect(page).to.not.include('activity-heading');
      expect(page).to.include(
        'Activity, and findings on what was entered lately: the log cannot be read here.',
      );
      expect(await person.status('/dashboard/plots/quality.csv')).to.equal(404);
      expect(await person.status('/dashboard/plots/nonesuch.svg')).to.equal(404);
      for (const path of [
        'forms',
        'forms.csv',
        'records',
        'records.csv',
        'due',
        'due.csv',
        'due.ics',
        'findings',
        'findings.csv',
        'findings?changedFrom=2026-01-01',
        'records/COHORT-2026-PARTICIPANT-0001',
      ])
        expect(await person.status(`/dashboard/${path}`), path).to.equal(403);
      expect(page).to.not.include('/dashboard/forms').and.not.include('/dashboard/records');
    } finally {
      await running.close();
    }
  });
});
