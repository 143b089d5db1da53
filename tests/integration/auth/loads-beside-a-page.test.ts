import { expect } from 'chai';
import request from 'supertest';
import { LINK_SECRET } from '../../support/identity-answers.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

const GOOD = `/login?userId=ada&secret=${LINK_SECRET}`;
const BAD = '/login?userId=ada&secret=a%20b';

/** The headers that browsers send for a click on a link in a mail program or on another site. */
const CLICK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** The headers of loads that a page causes. */
const LOADS: Record<string, Record<string, string>> = {
  'an image': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  'a script': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
  'a frame': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  'an embedded object': {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'object',
  },
  'a fetch of a script': {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'no-cors',
    'sec-fetch-dest': 'empty',
  },
  'a load of unknown purpose': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  'an image without further headers': { 'sec-fetch-dest': 'image' },
};

describe('Sign-in links that a page loads in the background', () => {
  let running: ServiceWithAuth;
  beforeEach(async () => {
    running = await startServiceWithAuth();
  });
  afterEach(() => running.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    request(running.service.url).get(path).set(headers);

  for (const [name, headers] of Object.entries(LOADS)) {
    it(`LOGIN-02: are not used by ${name}`, async () => {
      const load = await get(GOOD, headers);

      expect(load.status).to.equal(204);
      expect(load.headers).to.not.have.property('set-cookie');
      expect((await get(GOOD, CLICK)).status).to.equal(302);
    });

    it(`RATE-01: do not count as failed for ${name}, so that no page can lock a network out`, async () => {
      for (let times = 0; times < 12; times += 1) expect((await get(BAD, headers)).status).to.equal(204);

      expect((await get(GOOD, CLICK)).status).to.equal(302);
    });
  }

  it('RATE-01: do not count as failed for HEAD requests and prefetches either', async () => {
    for (let times = 0; times < 6; times += 1) {
      await request(running.service.url).head(BAD);
      await get(BAD, { 'sec-purpose': 'prefetch' });
    }

    expect((await get(GOOD, CLICK)).status).to.equal(302);
  });

  it('RATE-01: count as failed when clicked', async () => {
    for (let times = 0; times < 10; times += 1) expect((await get(BAD, CLICK)).status).to.equal(401);

    expect((await get(GOOD, CLICK)).status).to.equal(429);
  });

  it("sign in a program that sends only Sec-Fetch-Mode, as Node's fetch does", async () => {
    expect((await get(GOOD, { 'sec-fetch-mode': 'cors' })).status).to.equal(302);
  });
});
