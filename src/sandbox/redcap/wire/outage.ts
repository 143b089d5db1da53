import type { ServerResponse } from 'node:http';

/** What a REDCap can answer to every call in place of its result: that it is offline, or that the address is banned. */
export const SANDBOX_FAULTS = ['offline', 'banned'] as const;

export type SandboxFault = (typeof SANDBOX_FAULTS)[number];

/** The sentences. @see docs/protocol/redcap.md 1.10 (doc, client); the rest of the pages is ours, 18 (choice) */
const PAGES: Readonly<Record<SandboxFault, string>> = {
  offline:
    '<!DOCTYPE html>\n<html><head><title>REDCap</title></head><body><p>REDCap is currently offline. Please return at another time. We apologize for any inconvenience.</p></body></html>\n',
  banned: 'Your IP address (127.0.0.1) has been banned due to suspected abuse.',
};

/** Sends an answer that is in no format of the API. */
export function sendOutage(response: ServerResponse, fault: SandboxFault): void {
  const page = PAGES[fault];
  response.writeHead(200, {
    'content-type': 'text/html; charset=UTF-8',
    'content-length': Buffer.byteLength(page),
  });
  response.end(page);
}
