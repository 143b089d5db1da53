import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import type { MethodNotAllowedError } from '../../../../src/errors/caller-errors.js';
import { createMailboxRouter } from '../../../../src/sandbox/mailbox/mailbox-router.js';
import { Mailbox, type SandboxMail } from '../../../../src/sandbox/mailbox/mailbox.js';

function mail(parts: Partial<SandboxMail> = {}): SandboxMail {
  return {
    to: 'ada@example.org',
    subject: 'Study Login',
    link: 'http://localhost:3000/login?userId=a&secret=b',
    phrase: '',
    requestedWith: 'Firefox',
    date: new Date('2026-11-20T20:00:00Z'),
    ...parts,
  };
}

describe('The mailbox of the sandbox', () => {
  let mailbox: Mailbox;
  let app: express.Express;

  beforeEach(() => {
    mailbox = new Mailbox();
    app = express().use(createMailboxRouter(mailbox));
    app.use((error: MethodNotAllowedError, _request: unknown, response: express.Response, _next: unknown) => {
      response.status(405).json({ code: error.code });
    });
  });

  const page = async (): Promise<string> => (await request(app).get('/sandbox/mailbox').expect(200)).text;

  it('says that it is empty, and where a link can be asked for', async () => {
    expect(await page()).to.include('<p>No mail yet. <a href="/login">Ask for a sign-in link</a>.</p>');
  });

  it('shows the newest mail first, with a link to click', async () => {
    mailbox.receive(mail({ subject: 'First' }));
    mailbox.receive(mail({ subject: 'Second' }));
    const text = await page();

    expect(text.indexOf('<h2>Second</h2>')).to.be.above(0).and.to.be.below(text.indexOf('<h2>First</h2>'));
    expect(text).to.include('<a href="http://localhost:3000/login?userId=a&#38;secret=b">Sign in</a>');
    expect(text).to.include('To ada@example.org<br>');
    expect(text).to.include('2026-11-20 20:00:00 UTC, requested with Firefox');
    expect(text).not.to.include('No mail yet');
  });

  for (const part of ['to', 'subject', 'link', 'requestedWith'] as const) {
    it(`escapes what stands in ${part}: no element, no attribute, no reference of its own`, async () => {
      mailbox.receive(mail({ [part]: `"><script>alert('1')</script>&lt;` }));
      const text = await page();

      expect(text).not.to.include('<script');
      expect(text).to.include('&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;lt;');
    });
  }

  it('keeps a hundred mails, and forgets the oldest', () => {
    for (let number = 1; number <= 120; number += 1) mailbox.receive(mail({ subject: String(number) }));

    expect(mailbox.mails).to.have.length(100);
    expect(mailbox.mails[0]?.subject).to.equal('120');
    expect(mailbox.mails.at(-1)?.subject).to.equal('21');
  });

  it('refreshes itself without a script, and lets none run', async () => {
    const response = await request(app).get('/sandbox/mailbox');

    expect(response.text).to.include('<meta http-equiv="refresh" content="3">');
    expect(response.text).not.to.include('<script');
    expect(response.headers['content-security-policy']).to.equal(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(response.headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
  });

  it('is JSON for a program that asks for it', async () => {
    mailbox.receive(mail());
    const response = await request(app).get('/sandbox/mailbox').set('Accept', 'application/json').expect(200);

    expect(response.body).to.deep.equal({ data: [{ ...mail(), date: '2026-11-20T20:00:00.000Z' }] });
    expect(response.headers['cache-control']).to.equal('no-store');
  });

  it('has a style sheet of its own', async () => {
    const response = await request(app).get('/sandbox/mailbox.css').expect(200);

    expect(response.headers['content-type']).to.equal('text/css; charset=utf-8');
    expect(response.text).to.include('{');
  });

  for (const path of ['/sandbox/mailbox', '/sandbox/mailbox.css']) {
    it(`is for reading: ${path} refuses other methods`, async () => {
      await request(app).head(path).expect(200);
      expect((await request(app).post(path).expect(405)).body).to.deep.equal({ code: 'method_not_allowed' });
      await request(app).delete(path).expect(405);
    });
  }
});
