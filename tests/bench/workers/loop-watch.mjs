// Preloaded into a process under test: tells how late its event loop was at worst, what its memory is made of, and the time its
// processor has worked for it.
// `reset` and `report` come over the channel of the parent; each is answered.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const MB = 2 ** 20;

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on('message', (word) => {
  if (word === 'reset') {
    delays.enable();
    delays.reset();
    process.send({});
    return;
  }
  const { heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
  process.send({
    // The histogram holds the whole time between two looks: what is beyond the resolution is the delay.
    longestStallMs: delays.max / 1e6 - RESOLUTION_MS,
    cpuMs: cpuMs(),
    heapTotalMb: heapTotal / MB,
    heapUsedMb: heapUsed / MB,
    externalMb: external / MB,
    arrayBuffersMb: arrayBuffers / MB,
  });
});
process.once('disconnect', () => process.exit());
// The channel must not keep a process alive that has nothing else to do.
process.channel?.unref();
