import { expect } from 'chai';
import { startWholeService } from '../../support/start-whole-service.js';
import { startService } from '../../support/start-service.js';

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
