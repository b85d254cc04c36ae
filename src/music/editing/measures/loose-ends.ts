import type { ScoreDocument } from '../../model/document.ts'
import { looseSpanners, notesOfModel, withoutLooseTies, withoutSigns } from '../repair-spanners.ts'
import { openSession, type Session, writeSession } from '../session.ts'

/**
 * Removes the ties and slurs that have lost their other end.
 * @param session the score before its measures changed
 */
export function withoutLooseEnds(session: Session, document: ScoreDocument): ReturnType<typeof writeSession> {
  const after = openSession(document)
  for (const part of session.parts) {
    const [old, editor] = [session.part(part), after.part(part)]
    const originals = old.measures.map((_, index) => old.originalAt(index))
    const models = editor.measures.map((_, index) => editor.originalAt(index))
    const untied = withoutLooseTies(
      { models: originals, lengths: originals.map((_, index) => old.meterAt(index).length) },
      { models, lengths: models.map((_, index) => editor.meterAt(index).length) },
    )
    const loose = looseSpanners(originals.flatMap(notesOfModel), untied.flatMap(notesOfModel))
    for (const [index, model] of untied.entries()) {
      const repaired = loose.size > 0 ? withoutSigns(model, loose) : model
      if (repaired !== models[index]) editor.replace(index, repaired)
    }
  }
  return writeSession(document, after.editors)
}
