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
