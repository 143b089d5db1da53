import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createCrfClient } from '../../../src/client/create-crf-client.js';

/** The test project whose file repository the client's readme asks people to fill by hand, in this order. */
export const REPOSITORY_TAG = 'file-repo';

const FOLDER = 'the-state';
const IN_FOLDER = 'levon-and-barry.jpg';
const AT_THE_TOP = ['mugshot-1.jpg', 'mugshot-2.jpg', 'mugshot-3.jpg', 'mugshot-4.jpg', 'mugshot-5.jpg'];

/**
 * Uploads the client's own test files to the repository.
 *
 * @param url the sandbox's address
 * @param token of a user with the right to do so
 * @param client the folder of a clone
 */
export async function fillRepository(url: string, token: string, client: string): Promise<void> {
  const crf = createCrfClient({ url, token });
  const put = async (name: string, folder?: number): Promise<void> => {
    const bytes = await readFile(path.join(client, 'inst/test-data', name));
    const file = { name, contentType: 'image/jpeg', bytes: [bytes], length: bytes.length };
    await crf.fileRepository.put(file, { folder });
  };
  try {
    await put(IN_FOLDER, await crf.fileRepository.createFolder({ name: FOLDER }));
    for (const name of AT_THE_TOP) await put(name);
  } finally {
    crf.close();
  }
}
