/**
 * Converts the text format of Prometheus to OpenMetrics 1.0. prom-client can write it too, but that renames the counters of its
 * registry for good.
 */
export function openMetricsOf(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '')
  const counters = new Set(lines.flatMap((line) => /^# TYPE (\S+) counter$/.exec(line)?.[1] ?? []))
  const converted = lines.map((line) =>
    line.replace(/^# (HELP|TYPE) (\S+)_total /, (all, kind, name) =>
      counters.has(`${name}_total`) ? `# ${kind} ${name} ` : all,
    ),
  )
  return `${converted.join('\n')}\n# EOF\n`
}
