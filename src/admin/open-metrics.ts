/**
 * Converts the text format of Prometheus to OpenMetrics 1.0. The registry can write it too, but changes the names of its counters
 * when it does.
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
