/** A mail that nobody sent. */
export interface SandboxMail {
  readonly to: string;
  readonly subject: string;
  readonly link: string;
  /** The security phrase; empty without one. */
  readonly phrase: string;
  /** The user agent of whoever asked for it. */
  readonly requestedWith: string;
  readonly date: Date;
}

/** The mails of the sandbox, the newest first, a hundred at most. */
export class Mailbox {
  #mails: readonly SandboxMail[] = [];
  readonly #listeners = new Set<() => void>();

  /** @param capacity how many are kept */
  constructor(private readonly capacity = 100) {}

  receive(mail: SandboxMail): void {
    this.#mails = [mail, ...this.#mails].slice(0, this.capacity);
    for (const listener of this.#listeners) listener();
  }

  get mails(): readonly SandboxMail[] {
    return this.#mails;
  }

  /** Calls at each new mail. @returns ends that */
  onMail(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
