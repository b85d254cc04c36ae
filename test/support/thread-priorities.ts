import { readdirSync, readFileSync } from 'node:fs'

/** Returns the priorities of the threads of this process on the nice scale, in no order. Works on Linux only. */
export const threadPriorities = (): number[] =>
  readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      return niceOf(`/proc/self/task/${thread}/stat`)
    } catch {
      return [] // The thread has just ended.
    }
  })

/** Returns the priority of the main thread. */
export const mainThreadPriority = (): number => niceOf(`/proc/self/task/${process.pid}/stat`)

/** Returns field 19 of proc_pid_stat(5). Field 2 is a name in parentheses that may contain spaces. */
function niceOf(stat: string): number {
  const text = readFileSync(stat, 'utf8')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16])
}
