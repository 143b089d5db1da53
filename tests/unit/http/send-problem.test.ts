import { expect } from 'chai';
import { NotSupportedUpstreamError, UpstreamInvalidError } from '../../../src/errors/upstream-errors.js';
import { toProblem } from '../../../src/http/send-problem.js';

describe('toProblem', () => {
  it('ERR-02: shows no detail of a fault', () => {
    expect(toProblem(new UpstreamInvalidError('REDCap answered a page.'))).to.not.have.property('detail');
  });

  it("names REDCap's version where it is why there is no answer", () => {
    expect(toProblem(new NotSupportedUpstreamError('record/randomize', '14.5.10'))).to.include({
      status: 501,
      code: 'not_supported_upstream',
      detail: 'REDCap 14.5.10 does not support record/randomize. A newer version does.',
    });
  });
});
