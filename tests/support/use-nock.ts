import nock from 'nock';

nock.restore(); // importing nock activates it, for every test file of this process

/** Activates nock for the calling suite, and deactivates it afterwards. */
export function useNock(): typeof nock {
  before(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    nock.abortPendingRequests();
    nock.cleanAll();
  });
  after(() => {
    nock.enableNetConnect();
    nock.restore();
  });
  return nock;
}
