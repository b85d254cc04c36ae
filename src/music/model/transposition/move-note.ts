import { child, childText, type Element } from '../document.ts'
import { leaf, node } from '../element.ts'
import { accidentalOf, alterationOf, alterInKey } from './accidentals.ts'
import { type Interval, isStep, transposedName, transposedPitch, type WrittenPitch } from './interval.ts'

interface MovedNote {
  readonly note: Element
  /** The note has another step than the interval gives it, because it would need a triple sharp or flat. */
  readonly isRespelled: boolean
}

/** Moves a note with its accidentals, or a rest that has a place on the staff. */
export function movedNote(note: Element, interval: Interval): MovedNote {
  const pitch = pitchOf(note)
  if (!pitch) return { note: movedRest(note, interval), isRespelled: false }
  const moved = inOctaves(transposedPitch(pitch, interval))
  const places = placeOf(moved) - placeOf(pitch)
  const children = note.children.map((element) => {
    if (element.name === 'pitch') return pitchElement(moved)
    if (element.name === 'accidental') return renamed(element, pitch.alter, moved.alter)
    return element.name === 'notations' ? movedNotations(element, pitch, moved, interval) : element
  })
  return { note: { ...note, children }, isRespelled: places !== interval.steps }
}

function pitchOf(note: Element): WrittenPitch | undefined {
  const pitch = child(note, 'pitch')
  const step = pitch && childText(pitch, 'step')?.toUpperCase()
  const octave = Number((pitch && childText(pitch, 'octave')) || Number.NaN)
  const alter = Number((pitch && childText(pitch, 'alter')) || 0)
  const isPitch = isStep(step) && Number.isInteger(octave) && Math.abs(octave) <= 12 && Math.abs(alter) <= 4
  return isPitch && step !== undefined ? { step, alter, octave } : undefined
}

const placeOf = ({ step, octave }: WrittenPitch): number => octave * 7 + 'CDEFGAB'.indexOf(step)

/** MusicXML has the octaves from 0 to 9. */
const inOctaves = (pitch: WrittenPitch): WrittenPitch => ({
  ...pitch,
  octave: Math.max(0, Math.min(9, pitch.octave)),
})

const pitchElement = ({ step, alter, octave }: WrittenPitch): Element =>
  node('pitch', [leaf('step', step), ...(alter === 0 ? [] : [leaf('alter', alter)]), leaf('octave', octave)])

/** The same kind of sign for another alteration. A sign of a system of its own stays as it is. */
function renamed(sign: Element, before: number, after: number): Element {
  const name = alterationOf(sign.text) === before ? accidentalOf(after) : undefined
  return name === undefined ? sign : { ...sign, text: name }
}

function movedRest(note: Element, { steps }: Interval): Element {
  const rest = child(note, 'rest')
  const step = rest && childText(rest, 'display-step')
  const octave = Number((rest && childText(rest, 'display-octave')) || Number.NaN)
  if (!rest || step === undefined || !isStep(step) || !Number.isInteger(octave) || steps === 0) return note
  const place = Math.max(0, Math.min(69, placeOf({ step, alter: 0, octave }) + steps))
  const moved = {
    ...rest,
    children: [
      leaf('display-step', 'CDEFGAB'.charAt(place % 7)),
      leaf('display-octave', Math.floor(place / 7)),
    ],
  }
  return { ...note, children: note.children.map((element) => (element === rest ? moved : element)) }
}

function movedNotations(
  notations: Element,
  before: WrittenPitch,
  after: WrittenPitch,
  interval: Interval,
): Element {
  const children = notations.children.map((element) => {
    switch (element.name) {
      case 'accidental-mark':
        return renamed(element, before.alter, after.alter)
      case 'ornaments':
        return {
          ...element,
          children: element.children.map((sign) =>
            sign.name === 'accidental-mark' ? movedMark(sign, before, interval) : sign,
          ),
        }
      case 'technical':
        return withMovedFret(element, interval)
      default:
        return element
    }
  })
  return { ...notations, children }
}

/** The accidental of an ornament belongs to the next note of the scale, above or below. */
function movedMark(mark: Element, pitch: WrittenPitch, interval: Interval): Element {
  const alter = alterationOf(mark.text)
  if (alter === undefined) return mark
  const place = 'CDEFGAB'.indexOf(pitch.step) + (mark.attributes.placement === 'below' ? 6 : 1)
  const after = transposedName({ step: 'CDEFGAB'.charAt(place % 7), alter }, interval)
  return { ...mark, text: accidentalOf(after.alter) ?? mark.text }
}

const mostFrets = 24

/** A fretted note moves along its string. If the string has no such fret, the place on the instrument is left open. */
function withMovedFret(technical: Element, { semitones }: Interval): Element {
  const fret = child(technical, 'fret')
  if (!fret || semitones === 0) return technical
  const moved = Number(fret.text) + semitones
  const isThere = Number.isInteger(moved) && moved >= 0 && moved <= mostFrets
  const children = technical.children.flatMap((element) => {
    if (!isThere && (element.name === 'fret' || element.name === 'string')) return []
    return [element === fret ? leaf('fret', moved, fret.attributes) : element]
  })
  return { ...technical, children }
}

/** Moves the root and the bass of a chord symbol. Its diagram of a fretboard is left out: it shows the chord before. */
export function movedHarmony(harmony: Element, interval: Interval): Element {
  if (interval.semitones === 0 && interval.steps === 0) return harmony
  const children = harmony.children.flatMap((element) => {
    if (element.name === 'frame') return interval.semitones % 12 === 0 ? [element] : []
    if (element.name !== 'root' && element.name !== 'bass') return [element]
    return [{ ...element, children: movedStep(element.children, element.name, interval) }]
  })
  return { ...harmony, children }
}

/**
 * Moves each step and alteration in a list of elements.
 * @param prefix `root` for `root-step` and `root-alter`
 */
export function movedStep(
  children: readonly Element[],
  prefix: 'root' | 'bass' | 'key',
  interval: Interval,
): Element[] {
  return children.flatMap((element, index) => {
    if (element.name === `${prefix}-alter`) return []
    const step = element.text.trim().toUpperCase()
    if (element.name !== `${prefix}-step` || !isStep(step)) return [element]
    const following = children.slice(index + 1)
    const next = following.findIndex(({ name }) => name === element.name)
    const ofStep = next < 0 ? following : following.slice(0, next)
    const alter = ofStep.find(({ name }) => name === `${prefix}-alter`)
    const moved = transposedName({ step, alter: Number(alter?.text) || 0 }, interval)
    const { text: shown, ...attributes } = element.attributes
    const isHidden = shown === ''
    const needsAlter = moved.alter !== 0 || prefix === 'key'
    return [
      leaf(`${prefix}-step`, moved.step, isHidden ? element.attributes : attributes),
      ...(needsAlter ? [leaf(`${prefix}-alter`, moved.alter, alter?.attributes)] : []),
    ]
  })
}

const afterAccidental: ReadonlySet<string> = new Set(
  'time-modification stem notehead notehead-text staff beam notations lyric play listen'.split(' '),
)

/**
 * Adds the accidentals that the notes of a measure need.
 * @param children the children of the measure
 * @param notes the places of its notes among them, with the key signatures of their staves
 */
export function withSigns(
  children: readonly Element[],
  notes: readonly { readonly place: number; readonly staff: string; readonly fifths: number }[],
): Element[] {
  const signed = [...children]
  const alters = new Map<string, number>()
  for (const { place, staff, fifths } of notes) {
    const note = signed[place]
    const pitch = note && pitchOf(note)
    if (!note || !pitch) continue
    const line = `${staff} ${pitch.step} ${pitch.octave}`
    const expected = alters.get(line) ?? alterInKey(pitch.step, fifths)
    alters.set(line, pitch.alter)
    const name = accidentalOf(pitch.alter)
    const isTied = note.children.some(
      (element) => element.name === 'tie' && element.attributes.type === 'stop',
    )
    if (pitch.alter === expected || isTied || name === undefined || child(note, 'accidental')) continue
    const at = note.children.findIndex((element) => afterAccidental.has(element.name))
    const sign = leaf('accidental', name)
    signed[place] = {
      ...note,
      children: note.children.toSpliced(at < 0 ? note.children.length : at, 0, sign),
    }
  }
  return signed
}
