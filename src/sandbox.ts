/// <reference types="node" preserve="true" />
/** `crf-service/sandbox`: a REDCap project in memory for the tests of other applications. */
export { startSandbox, type Sandbox, type SandboxOptions } from './sandbox/start-sandbox.js';
