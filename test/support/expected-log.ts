import type { DestinationStream } from 'pino'
import { TestRunner } from 'vitest'

const warning = 40
const maxShown = 10

/** A log in which tests declare the warnings and errors that they provoke. */
export interface ExpectedLog extends DestinationStream {
  /** Declares the lines that match one of these patterns. */
  readonly expect: (...patterns: readonly RegExp[]) => void
  /** @throws if a warning or error was not declared, or if a pattern has matched no line */
  check(): void
}

/** @param copyTo also gets every line */
export function expectedLog(copyTo?: DestinationStream): ExpectedLog {
  const lines: { text: string; test: string | undefined }[] = []
  const expected = new Set<RegExp>()
  return {
    write(text) {
      copyTo?.write(text)
      const { level } = JSON.parse(text) as { level: number }
      if (level >= warning) lines.push({ text, test: TestRunner.getCurrentTest()?.name })
    },
    expect(...patterns) {
      for (const pattern of patterns) expected.add(pattern)
    },
    check() {
      const unmatched = [...expected].filter((pattern) => !lines.some(({ text }) => pattern.test(text)))
      const unexpected = lines.filter(({ text }) => ![...expected].some((pattern) => pattern.test(text)))
      const problems = [
        ...unexpected
          .slice(0, maxShown)
          .map(({ text, test }) => `Unexpected line in the log, during "${test ?? 'no test'}": ${text}`),
        ...unmatched.map((pattern) => `No line of the log matches ${pattern}`),
      ]
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
  }
}
