import { expect } from 'chai';
import { networkOfAddress, networkPrefixOf } from '../../../src/http/network-of-address.js';

describe('The network of a client', () => {
  const table: readonly [address: string | undefined, network: string, prefix: string][] = [
    ['192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
    ['::ffff:c000:207', '192.0.2.7', '192.0.2.0/24'],
    ['192.0.2.7:50123', '192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2::7', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['[2001:db8:1:2::7]', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['[2001:db8:1:2::7]:50123', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['192.0.2.27:50123', '192.0.2.27', '192.0.2.0/24'],
    ['x[2001:db8:1:2::7]', 'unknown', 'unknown'],
    ['[2001:db8:1:2::7]x', 'unknown', 'unknown'],
    ['192.0.2.7:50123x', 'unknown', 'unknown'],
    ['_hidden', 'unknown', 'unknown'],
    ['', 'unknown', 'unknown'],
    [undefined, 'unknown', 'unknown'],
  ];
  for (const [address, network, prefix] of table) {
    it(`RATE-03, LOG-04: of ${address ?? 'no address'} is ${network} for limits, and ${prefix} in the audit log`, () => {
      expect(networkOfAddress(address)).to.equal(network);
      expect(networkPrefixOf(address)).to.equal(prefix);
    });
  }
});
