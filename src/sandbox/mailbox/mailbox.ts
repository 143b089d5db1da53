/** A mail that the sandbox keeps instead of sending it. */
export interface SandboxMail {
  readonly to: string;
  readonly subject: string;
  readonly link: string;
  /** The security phrase; empty if there is none. */
  readonly phrase: string;
  /** The user agent that requested the mail. */
  readonly requestedWith: string;
  readonly date: Date;
}

/** The mails of the sandbox, newest first, limited to a hundred by default. */
export class Mailbox {
  #mails: readonly SandboxMail[] = [];
  readonly #listeners = new Set<() => void>();

  /** @param capacity the number of mails to keep */
  constructor(private readonly capacity = 100) {}

  receive(mail: SandboxMail): void {
    this.#mails = [mail, ...this.#mails].slice(0, this.capacity);
    for (const listener of this.#listeners) listener();
  }

  get mails(): readonly SandboxMail[] {
    return this.#mails;
  }

  /** Calls the listener for each new mail. @returns a function that stops that */
  onMail(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
