import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import type { RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { recordsOf } from '../../../../src/records/rules/records-of.js';
import { ID_FIELD } from '../../../support/fake-project.js';
import { rejection } from '../../../support/rejection.js';

const STRUCTURE = new ProjectStructure({ dictionary: DataDictionary.of([ID_FIELD]) });

async function* rows(id: string, count: number): AsyncGenerator<RecordRow> {
  for (let at = 0; at < count; at += 1) yield await Promise.resolve({ record_id: id });
}

async function sizesOf(exported: AsyncIterable<RecordRow>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const [, found] of recordsOf(exported, STRUCTURE)) sizes.push(found.length);
  return sizes;
}

describe('The records of an export', () => {
  it('UP-02: are refused if one has more rows than can be held, however small the answer was', async () => {
    expect(await sizesOf(rows('1', 100_000))).to.deep.equal([100_000]);
    expect(await rejection(sizesOf(rows('1', 100_001)))).to.have.property('code', 'upstream_invalid');
  });
});
