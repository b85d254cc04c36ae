import { childrenNamed, type Element, measuresOf } from '../../music/model/document.ts'
import { leaf, node } from '../../music/model/element.ts'
import { chordSymbolOf } from '../../music/model/chord-symbol.ts'

/** Parts of a `harmony` that stand before and after its chord. */
const chordParts: ReadonlySet<string> = new Set([
  ...['root', 'numeral', 'function', 'kind', 'inversion', 'bass', 'degree'],
])
/** The engine prints a chord symbol only with a root. It does not print the root itself. */
const root = node('root', [leaf('root-step', 'C')])

/**
 * Writes the chord symbols of a part as text. The engine has no table of chords: of a chord with root, kind and bass it prints the
 * kind alone. A kind `none` is printed as it is written.
 */
export function withWrittenChordSymbols(part: Element): Element {
  if (!measuresOf(part).some((measure) => childrenNamed(measure, 'harmony').length > 0)) return part
  const children = part.children.map((measure) => ({
    ...measure,
    children: measure.children.map((one) => (one.name === 'harmony' ? asText(one) : one)),
  }))
  return { ...part, children }
}

function asText(harmony: Element): Element {
  const kind = leaf('kind', 'none', { text: chordSymbolOf(harmony) })
  const others = harmony.children.filter(({ name }) => !chordParts.has(name))
  return { ...harmony, children: [root, kind, ...others] }
}
