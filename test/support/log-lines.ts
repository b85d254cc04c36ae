/** A log destination for a server. */
export interface LogLines {
  write(line: string): void
  /** Returns the whole log as text. */
  text(): string
  /** Returns the parsed lines since the start or the last call. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into lines freely
  take(): any[]
}

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
