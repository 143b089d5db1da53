/** A mail that would have been sent. */
export interface IdentityMail {
  readonly to: string;
  readonly subject: string;
  readonly link: string;
  /** The security phrase; empty when none was asked for. */
  readonly phrase: string;
  /** The user agent of whoever asked for it. */
  readonly requestedWith: string;
  readonly date: Date;
}
