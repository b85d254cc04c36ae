import { Worker } from 'node:worker_threads'
import { HostError, type HostMessage, type StartHost } from './host.ts'
import { traceOf } from './traces.ts'

/** MiB for new objects. V8's default is four times as much and makes a large score 5 % faster. */
const youngHeap = 48

/**
 * Starts threads of this process, for code that neither leaks nor crashes, and that needs much less than the limit of its heap.
 * The runtime ends a thread at the limit if it can. If one allocation is much larger than what is left, it ends the whole process
 * (nodejs/node#47224), so work whose memory is not bounded belongs in a child process.
 * @param module the module that they run; it calls `serveJobs`
 * @param heapLimit the JavaScript heap of one thread, in MiB
 */
export function threadHost(module: URL, heapLimit: number): StartHost {
  return ({ onMessage, onEnd }) => {
    const resourceLimits = { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: youngHeap }
    const worker = new Worker(module, { env: {}, resourceLimits })
    let isKilled = false
    let error: NodeJS.ErrnoException | undefined
    worker.on('message', (message: HostMessage) => {
      if (!isKilled) onMessage(message)
    })
    worker.on('error', (thrown: NodeJS.ErrnoException) => {
      error = thrown
    })
    worker.on('exit', () => {
      if (isKilled) return
      const isOutOfMemory = error?.code === 'ERR_WORKER_OUT_OF_MEMORY'
      onEnd(new HostError(`${module.href} ended. ${traceOf(error?.stack ?? '')}`, { isOutOfMemory }))
    })
    return {
      pid: undefined,
      send: (job) => worker.postMessage({ job }),
      kill() {
        isKilled = true
        void worker.terminate()
      },
      hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    }
  }
}
