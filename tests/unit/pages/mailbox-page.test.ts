import { expect } from 'chai';
import type { MailOnPage } from '../../../src/pages/mail-source.js';
import { mailboxPage } from '../../../src/pages/mailbox-page.js';
import { BARE_CONTEXT } from '../../../src/pages/page-context.js';

function mail(parts: Partial<MailOnPage> = {}): MailOnPage {
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

const page = (...mails: MailOnPage[]): string => mailboxPage(BARE_CONTEXT, mails);

describe('The page of the mailbox', () => {
  it('says when it is empty, and links to the page that requests a link', () => {
    expect(page()).to.include('No mail yet. <a href="/login">Ask for a sign-in link</a>.');
  });

  it('shows the newest mail first, with a link to click', () => {
    const text = page(mail({ subject: 'Second' }), mail({ subject: 'First' }));

    expect(text.indexOf('<h2>Second</h2>')).to.be.above(0).and.to.be.below(text.indexOf('<h2>First</h2>'));
    expect(text).to.include('href="http://localhost:3000/login?userId=a&amp;secret=b">Sign in</a>');
    expect(text).to.include('To ada@example.org');
    expect(text).to.include('20 Nov 2026, 20:00 UTC</time>, requested with Firefox');
    expect(text).not.to.include('No mail yet');
  });

  for (const part of ['to', 'subject', 'link', 'requestedWith', 'phrase'] as const) {
    it(`escapes ${part}`, () => {
      const text = page(mail({ [part]: `"><script>alert('1')</script>&lt;` }));

      expect(text).not.to.include('<script>');
      expect(text).to.include('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;lt;');
    });
  }
});
