/** A mail that would have been sent. */
export interface IdentityMail {
  readonly to: string;
  readonly subject: string;
  readonly link: string;
  /** The security phrase; empty if none was requested. */
  readonly phrase: string;
  /** The user agent that requested the mail. */
  readonly requestedWith: string;
  readonly date: Date;
}

/** The number of mails to keep. */
const CAPACITY = 100;

/** The latest mails of the sandbox, newest first. */
export class Mailbox {
  #mails: readonly IdentityMail[] = [];
  readonly #listeners = new Set<() => void>();

  receive(mail: IdentityMail): void {
    this.#mails = [mail, ...this.#mails].slice(0, CAPACITY);
    for (const listener of this.#listeners) listener();
  }

  get mails(): readonly IdentityMail[] {
    return this.#mails;
  }

  /** Calls the listener for each new mail. @returns a function that stops that */
  onMail(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
