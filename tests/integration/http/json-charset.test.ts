import { expect } from 'chai';
import request from 'supertest';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

describe('The encoding of a JSON body', () => {
  let running: ServiceWithAuth;
  before(async () => {
    running = await startServiceWithAuth();
  });
  after(() => running.close());

  const signup = (type: string, body: Buffer) =>
    request(running.service.url)
      .post('/api/v1/auth/signup')
      .set('content-type', type)
      .serialize((given) => given as unknown as string)
      .send(body);

  for (const charset of ['utf-7', 'UTF-16', 'utf-16le', 'utf-32', '"utf-7"', 'iso-8859-1', '']) {
    it(`IN-03: is refused as charset=${charset}, in which nesting cannot be counted`, async () => {
      const body = Buffer.from('+AFs-'.repeat(100));

      const answer = await signup(`application/json; charset=${charset}`, body);

      expect(answer.status).to.equal(415);
      expect(answer.body).to.include({ code: 'unsupported_media_type' });
    });
  }

  for (const [index, charset] of ['utf-8', 'UTF-8', '"utf-8"'].entries()) {
    it(`is accepted as charset=${charset}`, async () => {
      const body = Buffer.from(JSON.stringify({ email: `ada${index}@example.org` }));

      expect((await signup(`application/json; charset=${charset}`, body)).status).to.equal(200);
    });
  }
});
