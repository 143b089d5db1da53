import { until } from './until.js';

/** A minimal browser that keeps cookies and does not follow redirects. */
export class SignInClient {
  readonly cookies = new Map<string, string>();

  constructor(readonly base: string) {}

  /** Sends a request with the stored cookies, and stores those in the response. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.base), {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** Sends a POST request like a page of the service. */
  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(path, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  /** Requests a link and reads it from the mailbox. @throws {Error} the request was refused */
  async link(email: string): Promise<string> {
    const { ok, status } = await this.post('/api/v1/auth/signup', { email });
    if (!ok) throw new Error(`The request for a link was answered with ${status}.`);
    return until(async () => {
      const answer = await this.send('/sandbox/mailbox', { headers: { accept: 'application/json' } });
      if (!answer.ok) throw new Error(`The mailbox answered with ${answer.status}.`);
      const { data } = (await answer.json()) as { data: { to: string; link: string }[] };
      return data.find(({ to }) => to === email)?.link;
    });
  }

  async signIn(email: string): Promise<void> {
    await this.send(await this.link(email));
  }

  async status(path: string, init?: RequestInit): Promise<number> {
    return (await this.send(path, init)).status;
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
