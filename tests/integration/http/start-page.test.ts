import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signedInClient } from '../../support/every-page.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { startSandboxClient } from '../../support/sandbox-client.js';
import { startServiceWithAuth } from '../../support/start-service-with-auth.js';
import { PREFIX, startService } from '../../support/start-service.js';

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

describe('GET /', () => {
  it('links to the reference and to the dashboard', async () => {
    const service = await startWholeService();
    try {
      const answer = await fetch(service.url);
      const page = await answer.text();

      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
        href.replaceAll('&amp;', '&'),
      );
      expect(links).to.include.members(['/docs/', '/openapi.json', '/dashboard', '/sandbox/mailbox']);
      for (const link of links) expect((await fetch(service.url + link)).status, link).to.equal(200);
    } finally {
      await service.stop();
    }
  });

  it('shows a person who is signed in to a real project their study, and no commands', async () => {
    const started = await startSandboxClient(createDemoStudy());
    const running = await startServiceWithAuth(
      {},
      { capture: started.client, access: { sessionScopes: ['project:read', 'records:read'] } },
    );
    try {
      const person = await running.signedIn('grace');
      const page = await (await person.send('/')).text();
      const stranger = await (await fetch(running.service.url)).text();

      expect(page)
        .to.include('<h1>Cohort 2026 (synthetic)</h1>')
        .and.include(`href="${PREFIX}/dashboard/due"`);
      expect(page).to.not.include('curl');
      expect(stranger).to.include('curl').and.not.include('Cohort 2026');
    } finally {
      await running.close();
      await started.close();
    }
  });

  it('shows commands that run as they stand on the sandbox', async () => {
    const service = await startWholeService({});
    const folder = await mkdtemp(join(tmpdir(), 'crf-start-page-'));
    try {
      const page = await (await fetch(service.url)).text();
      const commands = [...page.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, command = '']) => command);
      const answers = await Promise.all(
        commands.map((command) =>
          promisify(execFile)(
            'sh',
            ['-c', command.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name] ?? '')],
            { cwd: folder },
          ),
        ),
      );

      expect(answers).to.have.length(3);
      expect(answers[2]?.stdout).to.include('age must be a whole number');
    } finally {
      await service.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('offers nobody an export that they may not make, and names no field to a key that may not see it', async () => {
    const environment = {
      SANDBOX_STUDY: 'longitudinal',
      POLICY_FILE: join(process.cwd(), 'examples/rights/policy.yaml'),
      ALLOW_ANONYMOUS: 'false',
    };
    const isOffered = (page: string): boolean => page.includes('/api/v1/records?limit=20&amp;format=csv');
    for (const [scopes, mayExport] of [
      ['project:read', false],
      ['project:read,records:read', true],
    ] as const) {
      const service = await startWholeService({ ...environment, SESSION_SCOPES: scopes });
      try {
        const stranger = await (await fetch(service.url)).text();
        const person = await signedInClient(service.url, 'marta.vanderberg.2@example.org');
        const page = await (await person.send('/')).text();
        const { status } = await person.send('/api/v1/records?limit=20&format=csv');

        expect([isOffered(stranger), isOffered(page), status === 200], scopes).to.deep.equal([
          false,
          mayExport,
          mayExport,
        ]);
        expect(stranger).to.include('curl').and.not.include('fields=');
      } finally {
        await service.stop();
      }
    }
  });

  it('does not link to a disabled reference', async () => {
    const service = await startWholeService({ DOCS: 'off' });
    try {
      const page = await (await fetch(service.url)).text();
      expect(page).to.include('/dashboard').and.not.to.include('/docs');
    } finally {
      await service.stop();
    }
  });

  it('is served even if there is little to show, and answers 405 to other methods', async () => {
    const service = await startService();
    const withReference = await startService({ docs: true });
    try {
      const bare = await fetch(service.url);
      expect(bare.status).to.equal(200);
      expect(await bare.text())
        .to.include('/openapi.json')
        .and.not.match(/\/(docs|dashboard|login)/);

      const answer = await fetch(withReference.url, { method: 'POST' });
      expect(answer.status).to.equal(405);
      expect(answer.headers.get('allow')).to.equal('GET, HEAD');
    } finally {
      await service.close();
      await withReference.close();
    }
  });
});
