import './staff.css'
import type { TextKey, Texts } from '../../../../src/texts/catalogue.ts'
import { useTexts } from '../../app/texts.ts'
import { glyphs } from './glyphs.ts'
import { type Clef, clefFor, namedPlace, signs, type StaffNote, staffNotes } from './places.ts'

interface Props {
  /** Such as `F#4`. */
  notes: readonly string[]
  clef: Clef | undefined
}

/** So many notes have room on a phone. */
const notesInLine = 7
const space = 25
const firstNote = 150
const noteWidth = 90
const y = (place: number) => (-place * space) / 2

/** Notes on a staff. Screen readers hear the places of the notes, and not their names, which may be the solution. */
export default function Staff({ notes, clef = clefFor(notes) }: Props) {
  const texts = useTexts()
  const shown = staffNotes(notes, clef)
  const lines = Array.from({ length: Math.ceil(shown.length / notesInLine) }, (_, line) => line * notesInLine)
  return (
    <div className="staves">
      {lines.map((from) => {
        const inLine = shown.slice(from, from + notesInLine)
        return (
          <StaffLine key={from} clef={clef} notes={inLine} label={spoken(texts, clef, inLine, from + 1)} />
        )
      })}
    </div>
  )
}

function StaffLine({ clef, notes, label }: { clef: Clef; notes: readonly StaffNote[]; label: string }) {
  const places = notes.map(({ place }) => place)
  const top = y(Math.max(11, ...places)) - 1.5 * space
  const bottom = y(Math.min(-3, ...places)) + 1.5 * space
  const width = firstNote + notes.length * noteWidth
  const sign = signs[clef]
  return (
    <svg
      role="img"
      aria-label={label}
      className="staff"
      viewBox={`0 ${top} ${width} ${bottom - top}`}
      width={width * 0.45}
    >
      <path className="staff-lines" d={[0, 2, 4, 6, 8].map((at) => `M0 ${y(at)}H${width}`).join('')} />
      <path d={glyphs[sign.glyph]} transform={`translate(16 ${y(sign.at)})`} />
      {notes.map(({ place, accidental }, index) => {
        const x = firstNote + index * noteWidth
        return (
          // A note has no identity but its place.
          <g key={index}>
            <path className="staff-lines" d={ledgerLines(place, x)} />
            {accidental && <path d={glyphs[accidental]} transform={`translate(${x - 42} ${y(place)})`} />}
            <path d={glyphs.head} transform={`translate(${x} ${y(place)})`} />
          </g>
        )
      })}
    </svg>
  )
}

function ledgerLines(place: number, x: number): string {
  let lines = ''
  for (let at = -2; at >= place; at -= 2) lines += `M${x - 9} ${y(at)}h55`
  for (let at = 10; at <= place; at += 2) lines += `M${x - 9} ${y(at)}h55`
  return lines
}

const accidentalTexts: Readonly<Record<NonNullable<StaffNote['accidental']>, TextKey>> = {
  sharp: 'reading.sharp',
  doubleSharp: 'reading.doubleSharp',
  flat: 'reading.flat',
  doubleFlat: 'reading.doubleFlat',
}

/** Returns the places in words: “Treble clef. Note 1: line 2. Note 2: space 1, flat.” */
function spoken({ text }: Texts, clef: Clef, notes: readonly StaffNote[], first: number): string {
  const sentences = notes.map(({ place, accidental }, index) => {
    const { kind, number } = namedPlace(place)
    const where = text(`staff.${kind}`, { number })
    const sign = accidental ? `, ${text(accidentalTexts[accidental])}` : ''
    return text('staff.note', { number: first + index, place: where + sign })
  })
  return [text(`staff.clef.${clef}`), ...sentences].map((sentence) => `${sentence}.`).join(' ')
}
