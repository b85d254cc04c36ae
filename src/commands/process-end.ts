import type { Logger } from 'pino'

/** Milliseconds between two looks at the parent process. */
const parentInterval = 500

/**
 * Logs why the process ends: an error that no code has handled, or another exit code than 0. The log is flushed when the
 * process exits.
 */
export function logProcessEnd(log: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'the process ends because of an unhandled error')
    process.exit(1)
  })
  process.on('exit', (code) => {
    if (code !== 0) log.fatal({ code }, 'the process ends')
  })
}

/**
 * Calls `stop` when npm has started this process and has ended. npm passes a signal only to its shell, which ends without
 * passing it on.
 */
export function stopAfterNpm(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, parentInterval)
  timer.unref()
}
