import {
  prepareForImport,
  readContent,
  readImported,
  writeContent,
  writeForEngraving,
  writeForPerforming,
  writeOpening,
} from './score-work.ts'
import { serveJobs } from './serve-jobs.ts'

const work = {
  prepareForImport,
  readContent,
  readImported,
  writeContent,
  writeForEngraving,
  writeForPerforming,
  writeOpening,
}

/** The pieces of work by their names. */
export type ScoreWork = typeof work

/** A piece of work and what it works on. */
export interface ScoreJob<Name extends keyof ScoreWork = keyof ScoreWork> {
  name: Name
  parameters: Parameters<ScoreWork[Name]>
}

serveJobs<ScoreJob>(({ name, parameters }) => {
  const piece = work[name] as (...given: unknown[]) => Promise<unknown>
  return piece(...parameters)
})
