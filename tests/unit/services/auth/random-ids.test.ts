import { expect } from 'chai';
import { randomUserId, tokenIdLookalike } from '../../../../src/services/auth/random-ids.js';

describe('Random ids', () => {
  it('of accounts have 128 bits', () => {
    expect(randomUserId()).to.match(/^[0-9a-f]{32}$/);
  });

  it('AUTH-02: of tokens begin with the time in seconds and microseconds, and differ', () => {
    for (const [time, seconds, milliseconds] of [
      [5_000, '00000005', 0],
      [1_800_000_000_999, '6b49d200', 999],
    ] as const) {
      const ids = Array.from({ length: 200 }, () => tokenIdLookalike(new Date(time)));

      for (const id of ids) {
        expect(id).to.match(/^[0-9a-f]{20}$/);
        expect(id.slice(0, 8)).to.equal(seconds);
        expect(Number.parseInt(id.slice(8, 13), 16)).to.be.within(
          milliseconds * 1000,
          milliseconds * 1000 + 999,
        );
      }
      expect(new Set(ids.map((id) => id.slice(8, 13))).size).to.be.above(100);
      expect(new Set(ids.map((id) => id.slice(13))).size).to.equal(200);
    }
  });
});
