import { MemoryBackend } from './backends.js';
import { describeContract } from './contract.js';

describeContract(new MemoryBackend());
