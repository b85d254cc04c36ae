import { type ErrorCode, Failure } from '../errors.ts'
import {
  prepareForImport,
  readContent,
  readImported,
  writeContent,
  writeForEngraving,
  writeOpening,
} from './score-work.ts'

const work = { prepareForImport, readContent, readImported, writeContent, writeForEngraving, writeOpening }

/** The pieces of work by their names. */
export type ScoreWork = typeof work

/** An error that loses nothing between threads: of a Failure that is cloned only the message is left. */
export type Outcome = { value: unknown } | { failure: { code: ErrorCode; param: string | undefined; message: string } }

/** Does one piece of work in this thread. */
export default async function perform({ name, parameters }: { name: keyof ScoreWork; parameters: unknown[] }) {
  try {
    const piece = work[name] as (...given: unknown[]) => Promise<unknown>
    return { value: await piece(...parameters) } satisfies Outcome
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, param, message } = error
    return { failure: { code, param, message } } satisfies Outcome
  }
}
