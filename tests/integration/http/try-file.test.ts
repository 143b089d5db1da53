import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UndoJournal } from '../../../src/cli/files/undo-file.js';
import type { ImportRequest } from '../../../src/records/import/import-request.js';
import { ImportUndo } from '../../../src/records/undo/import-undo.js';
import type { SignInClient } from '../../support/sign-in-client.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { PREFIX } from '../../support/start-service.js';
import { tableRows } from '../../support/table-rows.js';

const ID = 'COHORT-2026-PARTICIPANT-0901';
const GOOD = `record_id,age\r\n${ID},40\r\n`;
/** Valid, and slightly larger than the page accepts. */
const LARGE = `record_id,clinical_notes\r\n${`${ID},${'x'.repeat(1_000_000)}\r\n`.repeat(11)}`;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };

/** A valid value of each option of an import, so that only the page itself can refuse it. */
const VALID: Record<keyof ImportRequest, string> = {
  format: 'csv',
  dryRun: 'true',
  changes: 'true',
  verify: 'true',
  only: 'existing',
  overwriteBehavior: 'overwrite',
  // The project does not number its records.
  forceAutoNumber: 'false',
  dateFormat: 'DMY',
  century: '2000',
  decimalCharacter: ',',
  returnContent: 'ids',
  type: 'flat',
  limits: 'refuse',
  keepMisfits: 'true',
  backgroundProcess: 'true',
  csvDelimiter: ',',
  encoding: 'utf-8',
  values: 'raw',
  fromRow: '1',
  rawOrLabel: 'label',
  rawOrLabelHeaders: 'label',
  inputName: 'file',
};
const OFFERED: ReadonlySet<string> = new Set([
  'century',
  'dateFormat',
  'decimalCharacter',
  'encoding',
  'forceAutoNumber',
  'keepMisfits',
  'rawOrLabel',
  'rawOrLabelHeaders',
  'limits',
]);

function formWith(csv: string | undefined): FormData {
  const form = new FormData();
  if (csv !== undefined) form.set('file', new Blob([csv], { type: 'text/csv' }), 'records.csv');
  return form;
}

/** Returns the bytes that a browser would send, and their content type. */
async function encoded(form: FormData): Promise<{ body: Buffer; type: string }> {
  const answer = new Response(form);
  return {
    body: Buffer.from(await answer.arrayBuffer()),
    type: answer.headers.get('content-type') ?? '',
  };
}

describe('POST /try-file', () => {
  let running: ServiceWithAuth;
  let person: SignInClient;

  const start =
    (...sessionScopes: ('project:read' | 'records:read' | 'records:write')[]) =>
    async () => {
      running = await startServiceWithAuth({}, { access: { sessionScopes } });
      person = await running.signedIn('grace');
    };
  const stop = (): Promise<void> => running.close();

  async function post(
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = SAME_ORIGIN,
  ) {
    const answer = await person.send(path, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  }
  const ageOf = async (record: string) => {
    const rows = await running.service.client.exportRecords({
      records: [record],
      fields: ['record_id', 'age'],
    });
    return Number(rows[0]?.['age']);
  };
  const stored = () => running.service.client.exportRecords({ records: [ID], fields: ['record_id', 'age'] });

  describe('with the right to read the project only', () => {
    before(start('project:read'));
    after(stop);

    it('checks a file, stores nothing and does not offer to', async () => {
      const { status, text } = await post('/try-file', formWith(GOOD));

      expect(status).to.equal(200);
      expect(text).to.include('All is well: 1 record could be stored. Nothing has been stored.');
      expect(text).to.not.include('REDCap would store the file anyway');
      expect(text).to.not.include('Store it in REDCap').and.not.include('store=yes');
      expect(await stored()).to.deep.equal([]);
    });

    it('refuses a request to store it with 403', async () => {
      const { status } = await post('/try-file?store=yes', formWith(GOOD));

      expect(status).to.equal(403);
      expect(await stored()).to.deep.equal([]);
    });

    it('names line, field, rule and a suggestion, and never a value of the file', async () => {
      const { status, text } = await post('/try-file', formWith(`record_id,sex\r\n${ID},Female\r\n`));

      expect(status).to.equal(422);
      expect(text).to.include('1 value is not valid. Nothing was stored.');
      const [[, field, , meant, line, record] = []] = tableRows(text);
      expect([field, meant, line, record]).to.deep.equal(['sex', '1', '2', ID]);
    });

    it('shows equal mistakes together, and names the choice that would read them', async () => {
      const rows = ['31.12.2025', '30.11.2025', 'soon'].map((date) => `${ID},${date},"71,5"`);
      const csv = `record_id,consent_date,weight_kg\r\n${rows.join('\r\n')}\r\n`;
      const { text } = await post('/try-file', formWith(csv));

      expect(
        tableRows(text).map(([count, field, message, , lines]) => [count, field, message, lines]),
      ).to.deep.equal([
        [
          '2',
          'consent_date',
          'must be a date, as YYYY-MM-DD; it is one with “Dates: 31/12/2026 or 31.12.2026”',
          '2, 3',
        ],
        [
          '3',
          'weight_kg',
          'must be a number with 1 decimal after a point; it is one with “Numbers: 1.234,5”',
          '2, 3, 4',
        ],
        ['1', 'consent_date', 'must be a date, as YYYY-MM-DD', '4'],
      ]);
      const form = new FormData();
      for (const [name, choice] of [
        ['dateFormat', 'DMY'],
        ['decimalCharacter', ','],
        ['century', ''],
      ] as const)
        form.set(name, choice);
      form.set('file', new Blob([csv.replace('soon', '1.2.2026')]), 'records.csv');
      expect((await post('/try-file', form)).text).to.include('could be stored');
    });

    it('refuses a form that ends within its file, and goes on serving', async () => {
      const { body, type } = await encoded(formWith(GOOD));
      const headers = { ...SAME_ORIGIN, 'content-type': type };

      // An unhandled fault of the truncated file would fail this test, and stop the service.
      const { status, text } = await post('/try-file', body.subarray(0, -60), headers);
      const { status: next } = await post('/try-file', formWith(GOOD));

      expect([status, next]).to.deep.equal([422, 200]);
      expect(text).to.include('The form cannot be read.');
    });

    for (const [what, rest] of [
      ['a part whose header is malformed', '\r\n--X\r\n\u0000: x\r\n\r\n'],
      ['a boundary that goes on', '\r\n--Xoops'],
      ['a header without an end', `\r\n--X\r\n${'a'.repeat(20_000)}`],
      ['a second file', '\r\n--X\r\nContent-Disposition: form-data; name="file"; filename="b"\r\n\r\n\u0000'],
    ] as const) {
      it(`refuses a form with ${what} after its file in the same packet, and goes on serving`, async () => {
        const headers = { ...SAME_ORIGIN, 'content-type': 'multipart/form-data; boundary=X' };
        const file = '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nrecord_id';

        const { status, text } = await post('/try-file', `${file}${rest}`, headers);
        const { status: next } = await post('/try-file', formWith(GOOD));

        expect([status, next]).to.deep.equal([422, 200]);
        expect(text).to.include('role="alert"');
      });
    }

    it('IN-08, IN-09, IN-10: reads the file as chosen, and keeps the choices in the form', async () => {
      const form = new FormData();
      for (const [name, value] of [
        ['dateFormat', 'DMY'],
        ['limits', 'refuse'],
        ['keepMisfits', 'true'],
      ] as const)
        form.set(name, value);
      form.set('file', new Blob([`record_id,consent_date,sex,age\r\n${ID},31.12.2026,77,\r\n`]), 'a.csv');

      const { status, text } = await post('/try-file', form);

      expect(status).to.equal(200);
      expect(text).to.include('1 warning: REDCap may refuse the values that do not fit their field.');
      expect(text).to.include('must be one of');
      for (const chosen of ['DMY', 'refuse', 'true'])
        expect(text).to.match(new RegExp(`<option value="${chosen}" selected`));
      expect((await post('/try-file', formWith(`record_id,age\r\n${ID},200\r\n`))).text).to.include(
        '1 warning: REDCap would store the file anyway.',
      );
    });

    for (const [encoding, bytes] of [
      ['windows-1252', Buffer.from(`record_id,clinical_notes\r\n${ID},M\xfcller\r\n`, 'latin1')],
      ['utf-16le', Buffer.from(`\ufeffrecord_id\tclinical_notes\r\n${ID}\tMüller\r\n`, 'utf16le')],
    ] as const) {
      it(`reads a file in ${encoding} if that is chosen, and says how it must be chosen otherwise`, async () => {
        const form = formWith(undefined);
        form.set('encoding', encoding);
        form.set('file', new Blob([bytes]), 'a.csv');
        const other = new FormData();
        other.set('file', new Blob([bytes]), 'a.csv');

        const chosen = await post('/try-file', form);
        const unchosen = await post('/try-file', other);

        expect(chosen.text).to.include('All is well: 1 record could be stored.');
        expect(chosen.text).to.match(new RegExp(`<option value="${encoding}" selected`));
        expect(unchosen.status).to.equal(422);
        expect(unchosen.text).to.include(`give its encoding (${encoding}`);
      });
    }

    for (const [option, value] of Object.entries(VALID)) {
      const isOffered = OFFERED.has(option);
      const send = (chosen: string) => {
        const form = new FormData();
        form.append(option, chosen);
        form.append('file', new Blob([GOOD]), 'a.csv');
        return post('/try-file', form);
      };

      if (isOffered) {
        it(`takes ${option}, and no value that it does not offer`, async () => {
          const good = await send(value);
          const bad = await send('foreign');

          expect([good.status, bad.status]).to.deep.equal([200, 422]);
          expect(bad.text).to.include(`${option} must be one of`);
        });
      } else {
        it(`takes no ${option}, an option of imports that it does not offer`, async () => {
          const { status, text } = await send(value);

          expect(status).to.equal(422);
          expect(text).to.include(`${option} is not a property of an import`);
        });
      }
    }

    for (const [what, parts] of [
      ['a choice after the file', ['file', 'limits']],
      ['a choice that occurs twice', ['limits', 'limits', 'file']],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const form = new FormData();
        for (const part of parts)
          if (part === 'file') form.append(part, new Blob([GOOD]), 'a.csv');
          else form.append(part, 'refuse');

        const { status, text } = await post('/try-file', form);

        expect(status).to.equal(422);
        expect(text).to.include('role="alert"').and.not.include('could be stored');
      });
    }

    it('escapes the content of a file', async () => {
      const { text } = await post('/try-file', formWith(`record_id,<b>sex</b>\r\n${ID},1\r\n`));

      expect(text).to.not.include('<b>sex</b>');
    });

    for (const [what, body, sentence] of [
      ['a form without a file', formWith(undefined), 'file is missing: choose one'],
      ['a file without a record', formWith('record_id,age\r\n'), 'The file has no rows'],
      [
        'a file with a short row',
        formWith('record_id,age\r\nA\r\n'),
        'Record number 1 of the file (line 2) has',
      ],
      ['no form', new URLSearchParams({ file: 'x' }), 'file is missing: choose one'],
      ['a file of more than 10 MB', formWith(LARGE), 'more than 10 MB'],
    ] as const) {
      it(`shows the form again with a sentence for ${what}`, async () => {
        const { status, text } = await post('/try-file', body);

        expect(status).to.equal(422);
        expect(text).to.include('role="alert"').and.include(sentence).and.include('name="file"');
      });
    }

    it('reads at most 10 MB of a file of unknown length', async () => {
      const { headers, body } = new Response(formWith(LARGE));
      const answer = await person.send('/try-file', {
        method: 'POST',
        headers: { ...SAME_ORIGIN, 'content-type': headers.get('content-type') ?? '' },
        body,
        duplex: 'half',
      });

      expect(answer.status).to.equal(422);
      expect(await answer.text()).to.include('more than 10 MB');
    });

    it('sends anonymous visitors to the form', async () => {
      const answer = await running
        .browser()
        .send('/try-file', { method: 'POST', headers: SAME_ORIGIN, body: formWith(GOOD) });

      expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, `${PREFIX}/login`]);
    });
  });

  describe('with the right to read records', () => {
    before(start('project:read', 'records:read'));
    after(stop);

    it('lists required fields that stay empty and hidden values, with their lines', async () => {
      const { status, text } = await post(
        '/try-file',
        formWith(`record_id,first_name,age,education\r\n\r\n${ID},Ada,15,2\r\n`),
      );

      expect(status).to.equal(200);
      expect(text).to.include('The file is valid: 1 record could be stored. Nothing has been stored.');
      expect(tableRows(text)).to.deep.include(['3', 'education', 'is hidden by branching logic', ID]);
      expect(text).to.include('4 warnings: REDCap would store the file anyway.');
      expect(text).to.include('is required and empty').and.include('In the order of the file');
    });

    it('shows what storing the file would change, with the stored value and the new one', async () => {
      const known = 'COHORT-2026-PARTICIPANT-0001';
      const before = await ageOf(known);
      const { text } = await post(
        '/try-file',
        formWith(`record_id,age\r\n${known},${before + 1}\r\n${ID},40\r\n`),
      );

      expect(text).to.include(
        'records: 1 new, 1 changed, 0 unchanged; values of existing records: 0 set, 1 changed, 0 erased',
      );
      const rows = tableRows(text).map(([, ...cells]) => cells);
      expect(rows).to.deep.include([known, 'age', 'changed', `${before}`, `${before + 1}`]);
      expect(rows).to.deep.include([ID, 'record_id', 'new record', '', '']);
      expect(await ageOf(known)).to.equal(before);
    });
  });

  describe('with the right to write records', () => {
    before(start('project:read', 'records:write'));
    after(stop);

    for (const [whose, headers] of [
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
      ['another origin', { origin: 'https://app.example.org.evil.test' }],
      ['a browser that does not say', {}],
    ] as [string, Record<string, string>][]) {
      it(`CSRF-01: refuses a form of ${whose}, and stores nothing`, async () => {
        const { status } = await post('/try-file?store=yes', formWith(GOOD), headers);

        expect(status).to.equal(403);
        expect(await stored()).to.deep.equal([]);
      });
    }

    it('stores nothing of a form with a choice after its file', async () => {
      const form = formWith(GOOD);
      form.set('limits', 'refuse');

      expect((await post('/try-file?store=yes', form)).status).to.equal(422);
      expect(await stored()).to.deep.equal([]);
    });

    it('unfolds how a file is read where that differs, or where a mistake says so', async () => {
      const isOpen = async (form: FormData): Promise<boolean> => {
        const { text } = await post('/try-file', form);
        return /<details class="options" open/.test(text);
      };
      const chosen = (choices: Readonly<Record<string, string>>): FormData => {
        const form = new FormData();
        for (const [name, choice] of Object.entries(choices)) form.set(name, choice);
        form.set('file', new Blob([GOOD], { type: 'text/csv' }), 'records.csv');
        return form;
      };
      const defaults = {
        limits: 'warn',
        dateFormat: 'YMD',
        encoding: 'utf-8',
        keepMisfits: 'false',
        century: '',
      };

      expect(await isOpen(chosen(defaults))).to.equal(false);
      expect(await isOpen(chosen({ ...defaults, limits: 'refuse' }))).to.equal(true);
      expect(await isOpen(formWith(`record_id,consent_date\r\n${ID},31.12.2025\r\n`))).to.equal(true);
      expect(await isOpen(formWith(`record_id,consent_date\r\n${ID},soon\r\n`))).to.equal(false);
    });

    it('stores nothing of a file with a mistake', async () => {
      const { status } = await post('/try-file?store=yes', formWith(`${GOOD}${ID}2,forty\r\n`));

      expect(status).to.equal(422);
      expect(await stored()).to.deep.equal([]);
    });

    it('offers to store a file without mistakes, and stores it', async () => {
      const checked = await post('/try-file', formWith(GOOD));
      expect(checked.text).to.include('Store it in REDCap');
      expect(await stored()).to.deep.equal([]);

      const { status, text } = await post('/try-file?store=yes', formWith(GOOD));

      expect(status).to.equal(200);
      expect(text).to.include('Stored 1 record in REDCap.');
      expect((await stored()).map(({ record_id: id, age }) => [id, age])).to.deep.equal([[ID, '40']]);
    });
  });

  describe('with the rights to read and to write records', () => {
    before(start('project:read', 'records:read', 'records:write'));
    after(stop);

    it('offers what was replaced as a file for crf undo, which restores it', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'crf-try-'));
      await running.service.client.importRecords([{ record_id: ID, age: '39' }], { recordIdMinLength: 1 });
      const { text } = await post('/try-file?store=yes', formWith(`record_id,age\r\n${ID},41\r\n`));
      const [, file = ''] = /href="data:application\/octet-stream;base64,([^"]+)"/.exec(text) ?? [];
      writeFileSync(join(folder, 'import.undo'), Buffer.from(file, 'base64'));

      const journal = await UndoJournal.open(join(folder, 'import.undo'), undefined);
      const undo = new ImportUndo(running.service.client, {
        ...{ call: {}, dryRun: false, repeated: journal.repeated },
      });
      const { restored } = await undo.run(journal.steps());
      await journal.close();
      rmSync(folder, { recursive: true });

      expect([journal.end, restored]).to.deep.equal(['complete', 1]);
      expect(await ageOf(ID)).to.equal(39);
    });

    it('offers no undo file where nothing was replaced', async () => {
      await running.service.client.importRecords([{ record_id: ID, age: '39' }], { recordIdMinLength: 1 });

      const { text } = await post('/try-file?store=yes', formWith(`record_id,age\r\n${ID},39\r\n`));

      expect(text).to.include('Stored 1 record in REDCap.').and.not.to.include('crf undo');
    });

    it('names rows that occur twice, when it checks and when it stores', async () => {
      for (const path of ['/try-file', '/try-file?store=yes']) {
        const { text } = await post(path, formWith(`${GOOD}${ID},41\r\n`));

        expect(text).to.include('1 row is for a record that an earlier row of the file is for, too');
        expect(text).to.include(`line 3 (${ID})`);
      }
    });

    it('lets REDCap number the records where that is chosen, and names them', async () => {
      await running.service.client.project.putInfo({ recordAutonumberingEnabled: true });
      const form = (): FormData => {
        const chosen = new FormData();
        chosen.set('forceAutoNumber', 'true');
        chosen.set('file', new Blob(['record_id,age\r\nx,47\r\n']), 'records.csv');
        return chosen;
      };
      expect((await post('/try-file', form())).text).to.include('1 record could be stored');

      const { text } = await post('/try-file?store=yes', form());

      const [, id = ''] = /Numbered by REDCap: ([^.]+)\./.exec(text) ?? [];
      expect(id).to.match(/^\d+$/);
      expect(await ageOf(id)).to.equal(47);
    });
  });
});
