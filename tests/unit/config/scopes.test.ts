import { expect } from 'chai';
import { SCOPES as configured } from '../../../src/config/api-keys.js';
import { SCOPES } from '../../../src/services/access/scope.js';

describe('The scopes that settings may name', () => {
  it('GW-02: are the scopes that the services check', () => {
    expect(configured).to.deep.equal(SCOPES);
  });
});
