import { idAt } from '../../src/lib/ids.ts'

/** The first characters of the id of every object in the examples. The remaining ones are its number. */
const idPrefix = idAt(Date.parse('2026-09-01T08:00:00Z')).slice(0, 16)

const numbered = (prefix: string, length: number) => (n: number) =>
  prefix + n.toString(16).padStart(length - prefix.length, '0')

/** Values that every run makes anew, and what the examples have in their place. */
const kinds: readonly { pattern: RegExp; stable: (n: number, text: string) => string }[] = [
  { pattern: /\b[0-9a-f]{24}\b/, stable: numbered(idPrefix, 24) },
  {
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/,
    stable: numbered('00000000-0000-4000-8000-', 36),
  },
  // The key of a private link.
  { pattern: /\b[0-9a-f]{128}\b/, stable: numbered('', 128) },
  {
    pattern: /\bpartita_[a-z_]+_[0-9A-Za-z]{46}\b/,
    stable: (n, text) => `${text.slice(0, -46)}example${n}`,
  },
  // A link to a file: the signed payload has the time until which the link is valid.
  { pattern: /\/files\/[\w-]+\.[\w-]+/, stable: (n) => `/files/example${n}` },
]

/** Fields with codes, which no pattern distinguishes from words. */
const codeFields = ['enrollmentCode', 'customCode']

/**
 * Replaces the values that every run makes anew by stable ones. The same value is replaced by the same one everywhere, so
 * that an object has one id in all examples. Values are numbered in the order in which they occur.
 * @param value anything that JSON can express
 */
export function withStableValues<Value>(value: Value): Value {
  const text = JSON.stringify(value)
  const stable = new Map<string, string>()
  const counts = new Map<unknown, number>()
  const replacement = (found: string, kind: unknown, make: (n: number, text: string) => string) => {
    const known = stable.get(found)
    if (known !== undefined) return known
    const n = (counts.get(kind) ?? 0) + 1
    counts.set(kind, n)
    stable.set(found, make(n, found))
    return make(n, found)
  }
  let changed = text
  for (const field of codeFields) {
    const codes = new Set(
      [...text.matchAll(new RegExp(`"${field}":"(\\w+)"`, 'g'))].map(([, code = '']) => code),
    )
    for (const code of codes)
      changed = changed.replaceAll(
        code,
        replacement(code, field, (n) => `${field}${n}`),
      )
  }
  for (const kind of kinds) {
    changed = changed.replaceAll(new RegExp(kind.pattern, 'g'), (found) =>
      replacement(found, kind, kind.stable),
    )
  }
  return JSON.parse(changed)
}
