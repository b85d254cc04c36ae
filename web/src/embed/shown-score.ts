import { loadMusic } from '../score/player/load-music.ts'
import { createPlayer, type Music, type Player } from '../score/player/player.ts'
import type { JsonDocument } from './document/json-form.ts'
import { readScore, type Score } from './document/score.ts'
import { handedIn, hostedScore, type ScoreFiles } from './score-files.ts'

/** The score that an embed shows. */
export interface ShownScore {
  readonly files: ScoreFiles
  readonly document: JsonDocument
  readonly score: Score
  /** The uuids of the parts that are shown; undefined for all. */
  displayed: readonly string[] | undefined
  /** The player, once its music is loaded. */
  readonly player: Promise<Player>
}

/** Loads a score of this server. All of its files are of the revision that is the last one now. */
export async function loadHosted(score: string, sharingKey: string | undefined): Promise<ShownScore> {
  const response = await hostedScore(score, sharingKey).get('json')
  const revision = response.headers.get('x-flat-score-revision') ?? 'last'
  return shown(hostedScore(score, sharingKey, revision), (await response.json()) as JsonDocument)
}

/** Loads music that the page has handed in. Its parts and measures get uuids. */
export async function loadHandedIn(data: Uint8Array | string): Promise<ShownScore> {
  const document = (await (await handedIn(data).get('json')).json()) as JsonDocument
  return shown(handedIn(JSON.stringify(document)), document)
}

function shown(files: ScoreFiles, document: JsonDocument): ShownScore {
  let player: Promise<Player> | undefined
  return {
    files,
    document,
    score: readScore(document),
    displayed: undefined,
    get player() {
      player ??= loadMusic(async (format) => (await files.get(format)).blob()).then(createPlayer)
      return player
    },
  }
}

/** Returns the time of a place in the music: of a measure, and quarters after its start. The first time that it is played counts. */
export function timeOf(music: Music, measureUuid: string | undefined, quarters: number): number {
  const measure = music.measures.find(({ uuid }) => uuid === measureUuid)
  if (!measure) return 0
  const target = music.quartersAt(measure.start) + quarters
  let [low, high] = [measure.start, measure.end]
  // The tempo can change in the measure.
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2
    if (music.quartersAt(middle) < target - 1e-6) low = middle
    else high = middle
  }
  return Math.round(high * 1000) / 1000
}
