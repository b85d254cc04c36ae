import { writeSync } from 'node:fs'
import { fail } from '../../errors.ts'
import { serveJobs } from './serve-jobs.ts'

/** A host that fails in the way that the job asks for. */
export type FaultyJob =
  | { do: 'echo'; value: unknown }
  | { do: 'keep'; bytes: Uint8Array }
  | { do: 'quote'; text: string; how: 'thrown' | 'uncaught' | 'printed' }
  | { do: 'refuse' | 'break' | 'die' | 'leave' | 'hang' | 'eat' | 'fill' | 'count' }

let jobs = 0
const memory: Uint8Array[] = []

serveJobs<FaultyJob>(async (job, report) => {
  jobs++
  switch (job.do) {
    case 'echo':
      report(50)
      return job.value
    case 'keep':
      return memory.push(job.bytes)
    case 'count':
      return { pid: process.pid, jobs }
    case 'refuse':
      return fail('INVALID_PARAMETER', { param: 'page', message: 'No.' })
    case 'break':
      report(1)
      throw new TypeError('out of tune')
    case 'quote':
      if (job.how === 'thrown') throw new SyntaxError(`Unexpected ${job.text}`)
      if (job.how === 'printed') writeSync(2, `RuntimeError: unreachable\n${job.text}\n`)
      setImmediate(() => {
        throw new SyntaxError(`Unexpected ${job.text}`)
      })
      return new Promise(() => {})
    case 'die':
      return process.kill(process.pid, 'SIGKILL')
    case 'leave':
      return process.exit()
    case 'hang':
      for (;;);
    case 'eat':
      for (const allocated = []; ; ) allocated.push(Buffer.alloc(2 ** 20, 1))
    case 'fill':
      for (const filled = []; ; ) filled.push({ note: [filled.length] })
  }
})
