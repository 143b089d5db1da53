import type { MadeUpStudy } from '../sandbox/named-study.js';
import type { Mailbox } from '../sandbox/appwrite/mailbox.js';

/** The sandboxes of REDCap and Appwrite, with their credentials. */
export interface Sandboxes {
  readonly capture: { readonly url: string; readonly token: string };
  readonly identity: { readonly endpoint: string; readonly projectId: string; readonly apiKey: string };
  /** The mailbox that shows the emails of the sandbox, which are not sent. */
  readonly mailbox: Mailbox;
  close(): Promise<void>;
}

/** Starts REDCap's sandbox alone, for one of several projects, with the named study. */
export async function startProjectSandbox(study: MadeUpStudy) {
  const { startSandbox } = await import('../sandbox/start-sandbox.js');
  const sandbox = await startSandbox(study);
  return { url: sandbox.url, token: sandbox.token, close: () => sandbox.close() };
}

/** Starts both sandboxes on free loopback ports, with the named study. */
export async function startSandboxes(study: MadeUpStudy): Promise<Sandboxes> {
  const [{ startAppwriteSandbox }, { Mailbox: MailboxOfSandbox }] = await Promise.all([
    import('../sandbox/appwrite/appwrite-sandbox.js'),
    import('../sandbox/appwrite/mailbox.js'),
  ]);
  const mailbox = new MailboxOfSandbox();
  const [{ close: closeCapture, ...capture }, appwrite] = await Promise.all([
    startProjectSandbox(study),
    startAppwriteSandbox({ onMail: (mail) => mailbox.receive(mail) }),
  ]);
  return {
    capture,
    identity: { endpoint: appwrite.endpoint, projectId: appwrite.projectId, apiKey: appwrite.apiKey },
    mailbox,
    close: async () => void (await Promise.all([closeCapture(), appwrite.close()])),
  };
}
