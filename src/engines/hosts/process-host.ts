import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { Socket } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { belowServer, lowerPriority } from '../../lib/priority.ts'
import { HostError, type HostMessage, type StartHost } from './host.ts'
import { traceOf } from './traces.ts'

/**
 * The signal with which a process ends itself above its memory limit. It distinguishes this case from a
 * crash.
 */
export const overMemorySignal = 'SIGTERM'

/** The variable that lets a child process use the cache of compiled code of this process, which saves two thirds of its start. */
function cacheVariable(): NodeJS.ProcessEnv {
  // The runtime appends its version to the folder of the variable.
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** Limits and arguments of a child process. */
export interface ProcessOptions {
  /** Resident memory, in bytes. */
  readonly memory: number
  /** JavaScript heap, in MiB. 512 by default. */
  readonly heap?: number | undefined
  /** Arguments of the process after its memory limit. */
  readonly arguments?: readonly string[] | undefined
}

/**
 * Starts child processes with this runtime. They cannot see the settings or secrets of the server, and end
 * with it.
 * @param module the module that they run; it calls `serveJobs`
 */
export function processHost(
  module: URL,
  { memory, heap = 512, arguments: more = [] }: ProcessOptions,
): StartHost {
  return ({ onMessage, onEnd }) => {
    const child = fork(fileURLToPath(module), [String(memory), ...more], {
      serialization: 'advanced',
      env: cacheVariable(),
      execArgv: [`--max-old-space-size=${heap}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    if (child.pid !== undefined) lowerPriority(belowServer, child.pid)
    let isKilled = false
    let lastWords = ''
    if (child.stderr instanceof Socket) child.stderr.unref()
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-2000)
    })
    child.on('message', (message: HostMessage) => {
      if (!isKilled) onMessage(message)
    })
    let cause: Error | undefined
    child.on('error', (error) => {
      cause = error
    })
    child.on('close', (code, signal) => {
      if (isKilled) return
      const isOutOfMemory = signal === overMemorySignal || lastWords.includes('heap out of memory')
      const reason = isOutOfMemory ? 'grew over its memory limit' : `ended with ${signal ?? code}`
      onEnd(new HostError(`${module.href} ${reason}. ${traceOf(lastWords)}`, { isOutOfMemory, cause }))
    })
    return {
      pid: child.pid,
      send: (job) => child.send({ job }),
      kill() {
        isKilled = true
        child.kill('SIGKILL')
      },
      hold(isHeld) {
        const change = isHeld ? 'ref' : 'unref'
        child[change]()
        child.channel?.[change]()
      },
    }
  }
}
