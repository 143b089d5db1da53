import { expect } from 'chai';
import { ProjectDocuments } from '../../../../src/services/project-schema/project-documents.js';
import type { StructureSource } from '../../../../src/records/load-project-structure.js';
import { classicStudy } from '../../../support/studies.js';
import { startSandboxClient, type SandboxClient } from '../../../support/sandbox-client.js';

describe('ProjectDocuments', () => {
  let started: SandboxClient;
  let source: StructureSource;
  before(async () => {
    started = await startSandboxClient(classicStudy());
    source = started.client;
  });
  after(() => started.close());
  const tagsOf = async (recordIdMinLength?: number, version?: string): Promise<string[]> => {
    const options = { recordIdMinLength, openApi: () => '{"info":{},"components":{"schemas":{}}}' };
    const documents = new ProjectDocuments(source, options, version);
    const all = [documents.schema('raw'), documents.schema('typed'), documents.types(), documents.openApi()];
    return (await Promise.all(all)).map(({ etag }) => etag);
  };

  it('have different ETags, which are the same in every process', async () => {
    const tags = await tagsOf();

    expect(new Set(tags).size).to.equal(4);
    expect(await tagsOf()).to.deep.equal(tags);
  });

  for (const [title, minLength, version] of [
    ['the minimum length of a record id', 5, undefined],
    ['the version of the package', undefined, '0.0.1-other'],
  ] as const) {
    it(`have a different ETag for another value of ${title}`, async () => {
      const [tags, others] = [await tagsOf(), await tagsOf(minLength, version)];

      expect(others.filter((tag) => tags.includes(tag))).to.deep.equal([]);
    });
  }
});
