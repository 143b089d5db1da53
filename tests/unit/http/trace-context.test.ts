import { expect } from 'chai';
import { traceContextOf } from '../../../src/http/trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('traceContextOf', () => {
  it('LOG-03: continues the trace of the caller with a new span', () => {
    const context = traceContextOf(`00-${TRACE}-${PARENT}-01`);

    expect(context?.traceId).to.equal(TRACE);
    expect(context?.traceparent).to.match(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(context?.traceparent).to.not.include(PARENT);
  });

  it('LOG-03: keeps only the flags that version 00 defines', () => {
    expect(traceContextOf(`00-${TRACE}-${PARENT}-fe`)?.traceparent).to.match(/-00$/);
    expect(traceContextOf(`00-${TRACE}-${PARENT}-ff`)?.traceparent).to.match(/-01$/);
  });

  it('LOG-03: reads the known part of a future version', () => {
    expect(traceContextOf(`cc-${TRACE}-${PARENT}-01-what-will-be`)?.traceId).to.equal(TRACE);
  });

  for (const header of [
    undefined,
    '',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01\nx`,
    ['a', 'b'],
  ]) {
    it(`LOG-03: ignores ${JSON.stringify(header)}`, () => {
      expect(traceContextOf(header)).to.equal(undefined);
    });
  }
});
