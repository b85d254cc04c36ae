import { child, childText, type Element, measuresOf, partsOf, type ScoreDocument } from '../model/document.ts'

const letters: Readonly<Record<string, string>> = {
  whole: 'w',
  half: 'h',
  quarter: 'q',
  eighth: 'e',
  '16th': 's',
  '32nd': 't',
  '64th': 'x',
}

/**
 * The notes of each measure of a part as a text, for tests: pitches with `+` between those of a chord, the value as a letter, dots, the
 * number of a tuplet, `~` for a tie, and `'` for staccato. `r` is a rest, and voices are separated by ` | `. Silence that is not
 * printed is left out.
 */
export function notationText(document: ScoreDocument, part = 0): string[] {
  const measures = measuresOf(partsOf(document)[part] ?? { name: '', attributes: {}, children: [], text: '' })
  return measures.map((measure) => {
    const voices = new Map<string, string[]>()
    for (const note of measure.children) {
      if (note.name !== 'note' || note.attributes['print-object'] === 'no') continue
      const voice = childText(note, 'voice') ?? '1'
      const texts = voices.get(voice) ?? []
      voices.set(voice, texts)
      if (child(note, 'chord')) texts.push(`${pitchText(note)}+${texts.pop()}`)
      else texts.push(`${pitchText(note)}${valueText(note)}`)
    }
    return [...voices.values()].map((texts) => texts.join(' ')).join(' | ')
  })
}

function pitchText(note: Element): string {
  const grace = child(note, 'grace') ? 'g' : ''
  const unpitched = child(note, 'unpitched')
  if (unpitched) return `${childText(unpitched, 'display-step')}${childText(unpitched, 'display-octave')}`
  const pitch = child(note, 'pitch')
  if (pitch === undefined) return 'r'
  const alter = Number(childText(pitch, 'alter') ?? 0)
  const sign = alter < 0 ? 'b'.repeat(-alter) : '#'.repeat(alter)
  return `${grace}${childText(pitch, 'step')}${sign}${childText(pitch, 'octave')}`
}

function valueText(note: Element): string {
  const type = childText(note, 'type')
  const dots = '.'.repeat(note.children.filter(({ name }) => name === 'dot').length)
  const tuplet = child(note, 'time-modification')
  const isTied = note.children.some(({ name, attributes }) => name === 'tie' && attributes.type === 'start')
  const notations = note.children.filter(({ name }) => name === 'notations').flatMap((one) => one.children)
  const isStaccato = notations.some(({ name }) => name === 'articulations')
  return [
    type === undefined ? '' : (letters[type] ?? `(${type})`),
    dots,
    tuplet ? childText(tuplet, 'actual-notes') : '',
    isTied ? '~' : '',
    isStaccato ? "'" : '',
  ].join('')
}
