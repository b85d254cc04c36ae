import { spawnSync } from 'node:child_process'

/** The metrics of an admin address. */
export interface ReadMetrics {
  readonly type: string | null
  readonly text: string
  /** The type of each metric family, by its name. */
  readonly types: ReadonlyMap<string, string>
  /** Returns the value of a time series, as `name{label="value"}` with the labels in any order. */
  value(series: string): number | undefined
  /** Returns all values of a label. */
  labels(name: string, label: string): Set<string>
}

export async function readMetrics(address: string, accept = '*/*'): Promise<ReadMetrics> {
  const response = await fetch(`${address}/metrics`, { headers: { accept } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
  const types = new Map<string, string>()
  const series = text.split('\n').flatMap((line) => {
    const [, family = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (family !== '') types.set(family, type)
    if (line === '' || line.startsWith('#')) return []
    const { name, labels, value } = parse(line)
    if (Number.isNaN(value) && !line.endsWith('Nan')) throw new Error(`This is no time series: ${line}`)
    return [{ name, labels, value }]
  })
  const find = (wanted: string) => {
    const { name, labels } = parse(`${wanted} 0`)
    const expected = [...labels].sort().join()
    return series.find((one) => one.name === name && [...one.labels].sort().join() === expected)
  }
  return {
    type: response.headers.get('content-type'),
    text,
    types,
    value: (wanted) => find(wanted)?.value,
    labels: (name, label) =>
      new Set(series.flatMap((one) => (one.name === name ? (one.labels.get(label) ?? []) : []))),
  }
}

function parse(line: string) {
  const {
    name = '',
    labels = '',
    value,
  } = /^(?<name>[a-z_]\w*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/.exec(line)?.groups ?? {}
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return {
    name,
    labels: new Map(pairs.map(([, label = '', text = '']) => [label, text])),
    value: Number(value),
  }
}

/** Whether promtool, which is part of Prometheus, is installed. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** Runs promtool. Returns everything that it prints, and its exit code. */
export function promtool(args: readonly string[], input = ''): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return { code: status, output: stdout + stderr }
}
