import { expect } from 'chai';
import type { IdentityMail } from '../../../../src/sandbox/appwrite/mailbox.js';
import { Mailbox } from '../../../../src/sandbox/appwrite/mailbox.js';

const MAIL: IdentityMail = {
  to: 'ada@example.org',
  subject: 'Study Login',
  link: 'http://localhost:3000/login?userId=a&secret=b',
  phrase: '',
  requestedWith: 'Firefox',
  date: new Date('2026-11-20T20:00:00Z'),
};

describe('The mailbox of the sandbox', () => {
  it('keeps the latest hundred mails', () => {
    const mailbox = new Mailbox();
    for (let number = 1; number <= 120; number += 1) mailbox.receive({ ...MAIL, subject: String(number) });

    expect(mailbox.mails).to.have.length(100);
    expect(mailbox.mails[0]?.subject).to.equal('120');
    expect(mailbox.mails.at(-1)?.subject).to.equal('21');
  });

  it('notifies the listener of each new mail until it unsubscribes', () => {
    const mailbox = new Mailbox();
    const heard: number[] = [];
    const forget = mailbox.onMail(() => heard.push(mailbox.mails.length));

    mailbox.receive(MAIL);
    mailbox.receive(MAIL);
    forget();
    mailbox.receive(MAIL);

    expect(heard).to.deep.equal([1, 2]);
  });
});
