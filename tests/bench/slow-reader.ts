import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Download } from './download.js';

const SIP_BYTES = 64 * 1024;
const SIP_EVERY_MS = 10;

/** A reader that reads a little at a time. */
export interface SlowReader {
  readonly bytesRead: number;
  /** Continues reading for the given time. @throws {Error} if the answer ended */
  readFor(ms: number): Promise<void>;
  /** Closes the connection. */
  leave(): void;
}

export function openSlowly({ url, headers = {} }: Download): Promise<SlowReader> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false, headers }, (response) => {
      let bytesRead = 0;
      response.pause();
      response.on('error', () => undefined);
      resolve({
        get bytesRead() {
          return bytesRead;
        },
        readFor: async (ms) => {
          const end = performance.now() + ms;
          while (performance.now() < end) {
            if (response.readableEnded) throw new Error('The export ended before the slow reader left.');
            const sip = (response.read(SIP_BYTES) ?? response.read()) as Buffer | null;
            bytesRead += sip?.length ?? 0;
            await pause(SIP_EVERY_MS);
          }
        },
        leave: () => response.destroy(),
      });
    });
    request.once('error', reject);
  });
}
