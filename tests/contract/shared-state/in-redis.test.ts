import { describeWith } from '../../support/needed-programs.js';
import { RedisBackend } from './backends.js';
import { describeContract } from './contract.js';

describeWith(['redis'], 'With a real Redis', () => describeContract(new RedisBackend()));
