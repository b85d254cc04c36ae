import { byteCache } from '../../../lib/byte-cache.ts'
import { writeJson } from '../../../music/formats/json/write.ts'
import { type BuilderData, buildScore } from '../../../music/model/builder/builder.ts'
import { printable } from '../../../music/model/printable.ts'
import { factsOf, type ScoreFacts } from '../../../music/model/facts.ts'
import { partUuidsOf } from '../../../music/model/parts.ts'
import { timelineOf } from '../../../music/timeline/timeline.ts'

/** An empty score in the JSON form, with the facts that depend on the builder data alone. */
export interface EmptyScore {
  readonly json: string
  readonly facts: ScoreFacts
  readonly durationSeconds: number
  readonly partUuids: readonly string[]
}

/** The scores of some builder data. Only the title and the uuids differ. */
interface Template {
  /** Parts of the JSON, which stay the same, in turn with the places that differ. */
  readonly pieces: readonly string[]
  /** For each place, the position of its text in `[title, ...uuids]`. */
  readonly places: readonly number[]
  readonly uuidCount: number
  /** The positions of the uuids of the parts. */
  readonly parts: readonly number[]
  readonly facts: ScoreFacts
  readonly durationSeconds: number
}

/** Most scores are created with a few sets of instruments. The maximum is in bytes. */
const templates = byteCache<Template>(4 * 1024 * 1024)

/** The size in memory of a character of a template or its key, in bytes. */
const characterBytes = 2

/**
 * Builds an empty score as `buildScore` does. For the same builder data it is built once, and later only its title and uuids
 * are replaced.
 * @throws INVALID_PARAMETER as `buildScore` does
 */
export function emptyScore(data: BuilderData, title: string, newUuid: () => string): EmptyScore {
  const key = JSON.stringify(data)
  let template = templates.get(key)
  if (!template) {
    template = templateOf(data, newUuid)
    const characters = template.pieces.reduce((sum, piece) => sum + piece.length, key.length)
    templates.set(key, template, characterBytes * characters)
  }
  const { pieces, places, uuidCount, parts, facts, durationSeconds } = template
  const texts = [JSON.stringify(printable(title)).slice(1, -1)]
  for (let count = 0; count < uuidCount; count++) texts.push(newUuid())
  let json = pieces[0] as string
  places.forEach((position, index) => {
    json += texts[position] as string
    json += pieces[index + 1] as string
  })
  return { json, facts, durationSeconds, partUuids: parts.map((position) => texts[position] as string) }
}

/** Builds a score with a title and uuids that occur in no other text, and finds their places. */
function templateOf(data: BuilderData, newUuid: () => string): Template {
  const markers = [newUuid()]
  const document = buildScore(data, markers[0] as string, () => {
    const marker = newUuid()
    markers.push(marker)
    return marker
  })
  const split = writeJson(document).split(new RegExp(`(${markers.join('|')})`))
  return {
    pieces: split.filter((_, index) => index % 2 === 0),
    places: split.filter((_, index) => index % 2 === 1).map((marker) => markers.indexOf(marker)),
    uuidCount: markers.length - 1,
    parts: partUuidsOf(document).map((uuid) => markers.indexOf(uuid)),
    facts: factsOf(document),
    durationSeconds: timelineOf(document).durationSeconds,
  }
}
