import { expect } from 'chai';
import type { ProjectInfo } from '../../../../src/gateways/redcap/crf-client.js';
import { recordPages } from '../../../../src/gateways/redcap/record-page.js';

const client = {
  getVersion: () => Promise.resolve('16.1.9'),
  project: { getInfo: () => Promise.resolve({ id: 23 } as ProjectInfo) },
};

describe('The page of a record', () => {
  it('is beside the API, below the folder of the version', async () => {
    const page = await recordPages(client, 'https://host.example.org/redcap/api/');

    expect(page('A-1')).to.equal(
      'https://host.example.org/redcap/redcap_v16.1.9/DataEntry/record_home.php?pid=23&id=A-1',
    );
    expect(page('a b&c=1#', 2)).to.equal(
      'https://host.example.org/redcap/redcap_v16.1.9/DataEntry/record_home.php?pid=23&arm=2&id=a+b%26c%3D1%23',
    );
  });

  it('does not depend on the last slash of the API', async () => {
    const page = await recordPages(client, 'https://host.example.org/api');

    expect(page('1')).to.match(/^https:\/\/host\.example\.org\/redcap_v16\.1\.9\/DataEntry\//);
  });
});
