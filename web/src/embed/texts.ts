const texts: Readonly<Record<string, string>> = JSON.parse(
  document.getElementById('embed')?.dataset.texts ?? '{}',
)

/** Returns a text, which the server has put into the page in the language of the reader. */
export function text(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  return (texts[key] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}
