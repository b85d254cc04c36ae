import { getPriority, setPriority } from 'node:os'

/**
 * By how much the priority of notation work is lower than that of the server, so that requests and mails need not wait for a
 * score that is read or engraved. It still gets a quarter of a core on which the server is busy.
 */
export const belowServer = 5

/**
 * By how much the priority of the threads that read scores is lower than that of the server. They are below the engines: many
 * uploads of one user must not slow down the page that another user waits for.
 */
export const belowEngines = 7

/**
 * Lowers the CPU priority of a process, or of the calling thread without `pid`. On Linux the priority of a thread is its own. On
 * other systems it is that of the whole process, so a thread keeps its priority there.
 * @param by how much to lower it: a number of the nice scale, on which each step is about a fifth of the CPU time
 */
export function lowerPriority(by: number, pid?: number): void {
  if (pid === undefined && process.platform !== 'linux') return
  try {
    setPriority(pid ?? 0, Math.min(19, getPriority(pid ?? 0) + by))
  } catch {
    // Without the permission to change the priority, or if the process has just ended, the work has the normal one.
  }
}
