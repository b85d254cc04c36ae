/** Takes what a server logs. */
export interface LogLines {
  write(line: string): void
  /** All that was logged, as text. */
  text(): string
  /** The lines since the start or the last call, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into lines freely
  take(): any[]
}

export function logLines(): LogLines {
  const lines: string[] = []
  let taken = 0
  return {
    write(line) {
      lines.push(line)
    },
    text: () => lines.join(''),
    take() {
      const fresh = lines.slice(taken)
      taken = lines.length
      return fresh.map((line) => JSON.parse(line))
    },
  }
}
