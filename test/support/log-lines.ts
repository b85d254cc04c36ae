/** A log destination that keeps the lines of a server in memory. */
export interface LogLines {
  write(line: string): void
  /** Returns the whole log as text. */
  text(): string
  /** Returns the parsed lines that were written since the previous call. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of a line
  take(): any[]
}

/** Creates a log destination without lines. */
export function logLines(): LogLines {
  const lines: string[] = []
  let position = 0
  return {
    write(line) {
      lines.push(line)
    },
    text: () => lines.join(''),
    take() {
      const fresh = lines.slice(position)
      position = lines.length
      return fresh.map((line) => JSON.parse(line))
    },
  }
}
