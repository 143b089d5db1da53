import nock from 'nock';

nock.restore(); // the import alone switched it on, for every test file of this process

/** Turns nock on for the suite that calls it, and off again after it. */
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
