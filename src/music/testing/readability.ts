import { child, childText, type Element, measuresOf, partsOf, type ScoreDocument } from '../model/document.ts'

/** How many of each sign a score prints. */
interface SignCounts {
  /** Note heads, those that continue a tie among them. */
  heads: number
  rests: number
  ties: number
  /** Brackets of tuplets. */
  tuplets: number
  dots: number
  /** Voices of a staff beyond the first, in each measure. */
  voices: number
  /** Notes and rests that are shorter than a 32nd. */
  shortValues: number
}

/** What a reader pays for each sign, in note heads (docs/midi-import.md). */
const weights: Readonly<Record<keyof SignCounts, number>> = {
  heads: 1,
  rests: 1,
  ties: 1,
  tuplets: 1.5,
  dots: 0.5,
  voices: 2,
  shortValues: 1,
}

const short = new Set(['64th', '128th', '256th', '512th', '1024th'])

/** Counts the printed signs of a score. Chords count each head, and their rests, dots and brackets once. */
function countSigns(document: ScoreDocument): SignCounts {
  const counts = { heads: 0, rests: 0, ties: 0, tuplets: 0, dots: 0, voices: 0, shortValues: 0 }
  for (const part of partsOf(document)) {
    for (const measure of measuresOf(part)) {
      const voices = new Map<string, Set<string>>()
      for (const note of measure.children) {
        if (note.name !== 'note' || note.attributes['print-object'] === 'no') continue
        countNote(note, counts)
        if (child(note, 'rest')) continue
        const staff = childText(note, 'staff') ?? '1'
        voices.set(staff, (voices.get(staff) ?? new Set()).add(childText(note, 'voice') ?? '1'))
      }
      for (const own of voices.values()) counts.voices += own.size - 1
    }
  }
  return counts
}

/**
 * The readability of a transcription: its printed signs by their weights, for each note that was played. Less is easier to read.
 * @param played the number of notes of the performance
 */
export function readabilityOf(document: ScoreDocument, played: number): number {
  const counts = countSigns(document)
  const names = Object.keys(weights) as (keyof SignCounts)[]
  return names.reduce((sum, name) => sum + weights[name] * counts[name], 0) / played
}

function countNote({ children }: Element, counts: SignCounts): void {
  const has = (name: string) => children.some((element) => element.name === name)
  if (has('rest')) counts.rests += 1
  else counts.heads += 1
  counts.ties += children.filter(
    ({ name, attributes }) => name === 'tie' && attributes.type === 'start',
  ).length
  if (has('chord')) return
  counts.dots += children.filter(({ name }) => name === 'dot').length
  const type = children.find(({ name }) => name === 'type')?.text ?? ''
  if (short.has(type)) counts.shortValues += 1
  const notations = children.filter(({ name }) => name === 'notations').flatMap((one) => one.children)
  counts.tuplets += notations.filter(
    ({ name, attributes }) => name === 'tuplet' && attributes.type === 'start',
  ).length
}
