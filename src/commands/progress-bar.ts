import { Presets, SingleBar } from 'cli-progress'

export interface ProgressBar {
  step(count?: number): void
  /** Sets the position and optionally the total. */
  at(value: number, total?: number): void
  stop(): void
}

/** Shows a progress bar on standard error. Shows nothing with `--json` or without a terminal. */
export function progressBar(title: string, total: number, options: Record<string, unknown>): ProgressBar {
  if (options.json || !process.stderr.isTTY) return { step() {}, at() {}, stop() {} }
  const bar = new SingleBar(
    { format: `${title} {bar} {percentage}%`, hideCursor: true },
    Presets.shades_classic,
  )
  bar.start(total, 0)
  return {
    step: (count = 1) => bar.increment(count),
    at(value, newTotal) {
      if (newTotal !== undefined) bar.setTotal(newTotal)
      bar.update(value)
    },
    stop: () => bar.stop(),
  }
}
