import { isMainThread } from 'node:worker_threads'
import { belowEngines, lowerPriority } from '../lib/priority.ts'
import { formats } from './formats.ts'
import { serveJobs } from './hosts/serve-jobs.ts'
import { createScoreWork, type ScoreWork } from './score-work.ts'

/** A function of `ScoreWork` and its parameters. */
export interface ScoreJob<Name extends keyof ScoreWork = keyof ScoreWork> {
  name: Name
  parameters: Parameters<ScoreWork[Name]>
}

const work = createScoreWork(formats)

// A process of its own has a lower priority already (`hosts/process-host.ts`).
if (!isMainThread) lowerPriority(belowEngines)

serveJobs<ScoreJob>(({ name, parameters }) => {
  const perform = work[name] as (...parameters: unknown[]) => Promise<unknown>
  return perform(...parameters)
})
