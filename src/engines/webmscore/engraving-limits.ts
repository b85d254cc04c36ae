import { fail } from '../../errors.ts'
import { child, type Element, measuresOf, partsOf, type ScoreDocument } from '../../music/model/document.ts'

/** A short score at one of these limits takes the engine some seconds. No real score comes near them. */
const maxParts = 200
/** Notes and rests in one measure of a part. The time of the engine grows with their square. */
const maxNotes = 1_000
/** Directions, chord symbols and syllables in one measure of a part. */
const maxTexts = 1_000
/** The characters of all texts in one measure of a part. */
const maxCharacters = 100_000
/** Tempo changes of the whole score. */
const maxTempos = 3_000

/**
 * Refuses a score that would occupy the engraving engine for too long. It can be stored and exported in other formats.
 * @throws SCORE_NOT_RENDERABLE
 */
export function checkEngravable(document: ScoreDocument): void {
  const parts = partsOf(document)
  if (parts.length > maxParts) refuse(`The score has ${parts.length} parts`, `${maxParts} parts`)
  let tempos = 0
  for (const [part, measures] of parts.map(measuresOf).entries()) {
    for (const [measure, element] of measures.entries()) {
      const place = `Part ${part + 1}, measure ${measure + 1}`
      const notes = element.children.filter(({ name }) => name === 'note').length
      if (notes > maxNotes) refuse(`${place} has ${notes} notes and rests`, `${maxNotes}`)
      const texts = textsIn(element)
      if (texts > maxTexts)
        refuse(`${place} has ${texts} directions, chord symbols and syllables`, `${maxTexts}`)
      const characters = charactersIn(element)
      if (characters > maxCharacters)
        refuse(`${place} has ${characters} characters of text`, `${maxCharacters}`)
      tempos += element.children.filter(setsTempo).length
      if (tempos > maxTempos)
        refuse(`Up to ${place.toLowerCase()}, the tempo changes too often`, `${maxTempos} changes`)
    }
  }
}

function textsIn(measure: Element): number {
  let texts = 0
  for (const { name, children } of measure.children) {
    if (name === 'direction' || name === 'harmony') texts += 1
    if (name === 'note') for (const part of children) texts += Number(part.name === 'lyric')
  }
  return texts
}

function refuse(problem: string, limit: string): never {
  fail('SCORE_NOT_RENDERABLE', { message: `${problem}. At most ${limit} can be engraved.` })
}

/** A metronome mark without a `sound` is a tempo as well; it always stands in a direction. */
function setsTempo(event: Element): boolean {
  if (event.name === 'sound') return event.attributes.tempo !== undefined
  if (event.name !== 'direction') return false
  const isMark = (type: Element) => child(type, 'metronome') !== undefined
  return child(event, 'sound')?.attributes.tempo !== undefined || event.children.some(isMark)
}

/** The characters of all texts, also the short ones of notes, which a real measure has a few thousand of. */
function charactersIn({ text, children }: Element): number {
  let characters = text.length
  for (const inner of children) characters += charactersIn(inner)
  return characters
}
