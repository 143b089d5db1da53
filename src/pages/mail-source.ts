// Part of the types of `createApp`, which therefore must not lead to those of pages.

/** A source of the emails that the sandbox would have sent. */
export interface MailSource {
  /** The emails, newest first. */
  readonly mails: readonly MailOnPage[];
  /** Calls the listener for each new email, until the returned function is called. */
  onMail(listener: () => void): () => void;
}

/** An email that the sandbox did not send. */
export interface MailOnPage {
  readonly to: string;
  readonly subject: string;
  readonly link: string;
  /** The security phrase; empty if there is none. */
  readonly phrase: string;
  /** The user agent that requested the email, shown as the name of the browser if known. */
  readonly requestedWith: string;
  readonly date: Date;
}
