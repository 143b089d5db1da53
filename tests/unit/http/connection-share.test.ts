import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect } from 'chai';
import { shareConnections } from '../../../src/http/connection-share.js';

/** The part of a socket that shareConnections uses. */
class FakeSocket extends EventEmitter {
  destroyed = false;

  constructor(readonly remoteAddress: string | undefined) {
    super();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

describe('OPS-03: shareConnections', () => {
  let server: EventEmitter;
  let dropped: unknown[];

  beforeEach(() => {
    server = new EventEmitter();
    dropped = [];
    server.on('drop', (from) => dropped.push(from));
    shareConnections(server as Server, { limit: 2, isProxy: (address) => address === '192.0.2.200' });
  });

  /** @returns for each of these connections, opened one after the other, whether it was accepted */
  function letIn(...addresses: (string | undefined)[]): boolean[] {
    return addresses.map((address) => !connected(address).destroyed);
  }

  function connected(address: string | undefined): FakeSocket {
    const socket = new FakeSocket(address);
    server.emit('connection', socket);
    return socket;
  }

  it('limits each network to its share', () => {
    expect(letIn('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2')).to.deep.equal([
      true,
      true,
      false,
      true,
    ]);
    expect(dropped).to.deep.equal([{ remoteAddress: '192.0.2.1' }]);
  });

  it('counts an IPv6 /64 as one network', () => {
    expect(letIn('2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1')).to.deep.equal([
      true,
      true,
      false,
      true,
    ]);
  });

  it('counts an IPv4-mapped IPv6 address as the IPv4 address', () => {
    expect(letIn('192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.1')).to.deep.equal([true, true, false]);
  });

  it('frees a place once when its connection closes', () => {
    const [first] = [connected('192.0.2.1'), connected('192.0.2.1')];
    connected('192.0.2.1'); // Refused: closing it frees no place.
    first?.destroy();

    expect(letIn('192.0.2.1', '192.0.2.1')).to.deep.equal([true, false]);
  });

  it('does not limit a proxy, or a client that has already left', () => {
    expect(letIn('192.0.2.200', '192.0.2.200', '192.0.2.200')).to.not.include(false);
    expect(letIn(undefined, undefined, undefined)).to.not.include(false);
  });
});
