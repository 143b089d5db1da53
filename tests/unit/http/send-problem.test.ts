import { expect } from 'chai';
import {
  NotSupportedUpstreamError,
  UpstreamInvalidError,
} from '../../../src/domain/errors/upstream-errors.js';
import { toProblem } from '../../../src/http/send-problem.js';

describe('toProblem', () => {
  it('ERR-02: shows no detail of an internal fault', () => {
    expect(toProblem(new UpstreamInvalidError('REDCap answered a page.'))).to.not.have.property('detail');
  });

  it('names the version of REDCap if it does not support the call', () => {
    expect(toProblem(new NotSupportedUpstreamError('record/randomize', '14.5.10'))).to.include({
      status: 501,
      code: 'not_supported_upstream',
      detail: 'REDCap 14.5.10 does not support record/randomize. A newer version does.',
    });
  });
});
