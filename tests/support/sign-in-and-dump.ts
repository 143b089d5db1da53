import { randomBytes } from 'node:crypto';
import { writeHeapSnapshot } from 'node:v8';
import { createAuthService } from '../../src/services/auth/create-auth-service.js';
import { API_KEY } from './identity-answers.js';
import { MemoryCookies } from './memory-cookies.js';

/**
 * A process that signs people in and out of sight, tells its parent what it issued, and then writes its heap to a file.
 * Arguments: the endpoint of the identity backend, the number of sign-ins, the file.
 */
const [endpoint = '', times = '', file = ''] = process.argv.slice(2);

const service = createAuthService({
  appwrite: { endpoint, projectId: 'study', apiKey: API_KEY },
  loginUrl: 'https://app.example.org/login',
  domainValidation: { allowedDomainsRegexp: 'example\\.org' },
  signupFloorMs: 0,
});

async function signIn(index: number): Promise<void> {
  const cookies = new MemoryCookies();
  const secret = randomBytes(32).toString('hex');
  await service.signupWithEmail(`p${index}@example.org`, cookies);
  process.send?.([...cookies.values.values(), secret]);
  await service.login(`p${index}`, secret, cookies);
  await service.currentUser(cookies);
  process.send?.([...cookies.values.values()]);
}

for (let index = 0; index < Number(times); index += 1) await signIn(index);
await new Promise(setImmediate);
globalThis.gc?.();
writeHeapSnapshot(file);
// Still in use, so that the heap has all that the service keeps.
service.canonicalAddress('ada@example.org');
process.disconnect?.();
