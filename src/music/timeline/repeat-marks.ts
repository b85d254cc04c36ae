import { child, type Element } from '../model/document.ts'
import { wordsOf } from './direction.ts'
import { type JumpPlan, type JumpWords, jumpWordsOf, plainPlan } from './jump-words.ts'
import { numberOf, timeOnlyOf, type WrittenPart } from './written.ts'

/** All marks for the order of playing in one measure, from all parts. */
export interface ColumnMarks {
  /** A repeat starts here. */
  forward: boolean
  backward: BackwardRepeat | undefined
  ending: EndingMarks
  /** The names of the signs that can be jumped to; without a name, "". */
  segno: string | undefined
  /** The segno is not at the start of the measure, so the measure is the last one of "al Segno". */
  isSegnoLate: boolean
  coda: string | undefined
  /** Leaves to the coda of that name. */
  toCoda: Jump | undefined
  daCapo: Jump | undefined
  dalSegno: Jump | undefined
  fine: Jump | undefined
}

export interface BackwardRepeat {
  /** How often the section is played in all. */
  readonly times: number
  /** It is repeated again after a jump. */
  readonly afterJump: boolean
}

export interface EndingMarks {
  /** The numbers of the ending that starts here. */
  starts: readonly number[] | undefined
  /** An ending stops or is discontinued at the end of this measure. */
  stops: boolean
}

export interface Jump extends JumpPlan {
  readonly label: string
  readonly timeOnly: readonly number[] | undefined
}

/**
 * Reads the marks of all measures from all parts: MusicXML 4.0, elements `repeat`, `ending`, `segno`, `coda`
 * and the attributes of `sound`. If a measure has no such sound, its words and signs count.
 */
export function columnMarksOf(parts: readonly WrittenPart[], columns: number): ColumnMarks[] {
  const marks: ColumnMarks[] = []
  const signs: Signs[] = []
  for (let column = 0; column < columns; column++) {
    marks.push({
      forward: false,
      backward: undefined,
      ending: { starts: undefined, stops: false },
      segno: undefined,
      isSegnoLate: false,
      coda: undefined,
      toCoda: undefined,
      daCapo: undefined,
      dalSegno: undefined,
      fine: undefined,
    })
    signs.push({ words: [], segno: false, coda: false })
  }
  for (const part of parts) {
    for (const [column, measure] of part.measures.entries()) {
      const columnMarks = marks[column]
      const shown = signs[column]
      if (columnMarks === undefined || shown === undefined) continue
      for (const { element, at } of measure.marks) {
        const hadSegno = columnMarks.segno !== undefined || shown.segno
        if (element.name === 'barline') applyBarline(element, columnMarks, shown)
        else if (element.name === 'sound') applySound(element, columnMarks, plainPlan)
        else if (element.name === 'direction') applyDirection(element, columnMarks, shown)
        if (!hadSegno && (columnMarks.segno !== undefined || shown.segno)) columnMarks.isSegnoLate = at > 0
      }
    }
  }
  applySigns(marks, signs)
  return marks
}

/** The marks that are only displayed in a measure. */
interface Signs {
  readonly words: JumpWords[]
  segno: boolean
  coda: boolean
}

function applyBarline(barline: Element, marks: ColumnMarks, signs: Signs): void {
  for (const element of barline.children) {
    if (element.name === 'repeat') applyRepeat(element, marks)
    else if (element.name === 'ending') applyEnding(element, marks)
    else if (element.name === 'segno') signs.segno = true
    else if (element.name === 'coda') signs.coda = true
  }
  marks.segno ??= barline.attributes.segno
  marks.coda ??= barline.attributes.coda
}

function applyRepeat(repeat: Element, marks: ColumnMarks): void {
  if (repeat.attributes.direction === 'forward') {
    marks.forward = true
    return
  }
  const times = Math.max(1, numberOf(repeat.attributes.times) ?? 2)
  marks.backward = {
    times: Math.max(times, marks.backward?.times ?? 1),
    afterJump: repeat.attributes['after-jump'] === 'yes' || marks.backward?.afterJump === true,
  }
}

function applyEnding(ending: Element, marks: ColumnMarks): void {
  if (ending.attributes.type === 'start') {
    marks.ending.starts ??= (ending.attributes.number?.match(/\d+/g) ?? []).map(Number)
  } else {
    marks.ending.stops = true
  }
}

function applySound(sound: Element, marks: ColumnMarks, plan: JumpPlan): void {
  const { attributes } = sound
  const jump = (label = ''): Jump => ({ label, timeOnly: timeOnlyOf(sound), ...plan })
  if (attributes['forward-repeat'] === 'yes') marks.forward = true
  marks.segno ??= attributes.segno
  marks.coda ??= attributes.coda
  if (attributes.tocoda !== undefined) marks.toCoda ??= jump(attributes.tocoda)
  if (attributes.dalsegno !== undefined) marks.dalSegno ??= jump(attributes.dalsegno)
  if (attributes.dacapo === 'yes') marks.daCapo ??= jump()
  if (attributes.fine !== undefined && attributes.fine !== 'no') marks.fine ??= jump()
}

function applyDirection(direction: Element, marks: ColumnMarks, signs: Signs): void {
  const shown = jumpWordsOf(wordsOf(direction))
  const sound = child(direction, 'sound')
  // Only the words contain "al Fine" or "al Coda", even if a sound has the jump.
  if (sound !== undefined) applySound(sound, marks, planOf(shown))
  if (shown !== undefined) signs.words.push(shown)
  // A sign next to the words "To Coda" is no coda.
  if (shown !== undefined && shown.jump !== 'coda') return
  for (const type of direction.children) {
    if (type.name !== 'direction-type') continue
    for (const sign of type.children) {
      if (sign.name === 'segno') signs.segno = true
      else if (sign.name === 'coda') signs.coda = true
    }
  }
}

function planOf(words: JumpWords | undefined): JumpPlan {
  if (words === undefined || !('until' in words)) return plainPlan
  const { until, thenCoda, withRepeats } = words
  return { until, thenCoda, withRepeats }
}

/**
 * Applies the displayed signs of a kind if no `sound` in the whole score has that kind. A score uses one way
 * or the other.
 */
function applySigns(marks: readonly ColumnMarks[], signs: readonly Signs[]): void {
  const hasSound = (name: 'segno' | 'coda' | 'toCoda' | 'daCapo' | 'dalSegno' | 'fine') =>
    marks.some((column) => column[name] !== undefined)
  const fromSounds = {
    segno: hasSound('segno'),
    coda: hasSound('coda'),
    toCoda: hasSound('toCoda'),
    jump: hasSound('daCapo') || hasSound('dalSegno'),
    fine: hasSound('fine'),
  }
  for (const [column, columnMarks] of marks.entries()) {
    const shown = signs[column]
    if (shown === undefined) continue
    if (shown.segno && !fromSounds.segno) columnMarks.segno = ''
    if (shown.coda && !fromSounds.coda) columnMarks.coda = ''
    for (const words of shown.words) {
      const jump: Jump = { label: '', timeOnly: undefined, ...planOf(words) }
      if (words.jump === 'coda' && !fromSounds.coda) columnMarks.coda ??= ''
      else if (words.jump === 'tocoda' && !fromSounds.toCoda) columnMarks.toCoda ??= jump
      else if (words.jump === 'fine' && !fromSounds.fine) columnMarks.fine ??= jump
      else if (words.jump === 'dacapo' && !fromSounds.jump) columnMarks.daCapo ??= jump
      else if (words.jump === 'dalsegno' && !fromSounds.jump) columnMarks.dalSegno ??= jump
    }
  }
  if (fromSounds.coda || fromSounds.toCoda || hasSound('toCoda')) return
  // If there are only two coda signs, the first one is To Coda and the last one is the coda.
  const codas = marks.filter((column) => column.coda !== undefined)
  const first = codas[0]
  if (codas.length < 2 || first === undefined) return
  first.coda = undefined
  first.toCoda = { label: '', timeOnly: undefined, ...plainPlan }
}
