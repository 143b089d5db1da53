import { expect } from 'chai';
import { banner } from '../../../src/server/run-server.js';

describe('banner', () => {
  const url = 'http://127.0.0.1:3000';

  it("says where an open sandbox is reached, also by a client of REDCap's API", () => {
    expect(banner({ url, openToken: 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00' }))
      .to.include(`${url}/docs\n`)
      .and.include(
        `    mailbox     ${url}/sandbox/mailbox\n    REDCap API  ${url}/api/ with the token C0FFEE`,
      );
  });

  it("says nothing of REDCap's API where it takes an API key", () => {
    expect(banner({ url, openToken: undefined }))
      .to.include('/sandbox/mailbox\n\n')
      .and.not.include('/api/');
  });
});
