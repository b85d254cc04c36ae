import { attribute, all, type JsonDocument } from '../document/json-form.ts'
import type { Embed } from '../embed.ts'
import type { Method } from '../protocol.ts'
import { Refused, scoreDetails } from '../score-files.ts'
import { loadHandedIn, loadHosted, type ShownScore } from '../shown-score.ts'
import { pngOfPages, svgOfPages } from '../pictures.ts'
import { mp3WithProgress, wavOf } from '../recordings.ts'
import { object } from './parameters.ts'

/** Loading scores, and getting them in a format. */
export function scoreMethods(embed: Embed): Record<string, Method> {
  const get = async (format: string, options = {}) => (await embed.shown()).files.get(format, options)
  const bytes = async (response: Response) => new Uint8Array(await response.arrayBuffer())
  const load = async (data: unknown, refusal: string): Promise<void> => {
    const file = fileOf(data)
    if (file === undefined) throw new Error(refusal)
    await embed.load(() =>
      loadHandedIn(file).catch((error: unknown) => {
        // The server says what is wrong with the file.
        if (error instanceof Refused && /^(?:INVALID|UNKNOWN_FORMAT)/.test(error.code))
          throw new Error(`${refusal} ${error.message}`.trim())
        throw error
      }),
    )
  }
  const mp3 = async () => {
    const { duration } = await embed.player().then(
      ({ music }) => ({ duration: music.durationSeconds }),
      () => ({ duration: 0 }),
    )
    return mp3WithProgress(await get('mp3'), duration, (progress) => embed.emit('exportProgress', progress))
  }
  return {
    async loadFlatScore(parameters) {
      const { score, sharingKey } = object(
        typeof parameters === 'string' ? { score: parameters } : parameters,
      )
      if (typeof score !== 'string') throw new Error('Parameter score should be the id of a score.')
      await embed.load(() => loadHosted(score, typeof sharingKey === 'string' ? sharingKey : undefined))
    },
    loadMusicXML: (data) => load(data, 'Invalid MusicXML file format.'),
    loadMIDI: (data) => load(data, 'Invalid MIDI file.'),
    loadABC: (data) => load(data, 'Invalid ABC file.'),
    loadJSON: (data) =>
      load(typeof data === 'object' && !isBinary(data) ? JSON.stringify(data) : data, 'Invalid score JSON'),
    async getJSON() {
      return withTitle(await embed.shown())
    },
    async getMusicXML(parameters) {
      const { compressed } = object(parameters)
      return compressed === true ? bytes(await get('mxl')) : (await get('xml')).text()
    },
    async getSVG(parameters) {
      return svgOfPages(await embed.shown(), object(parameters))
    },
    async getPNG(parameters) {
      return pngOfPages(await embed.shown(), object(parameters))
    },
    async getPDF(parameters) {
      const { parts, isConcertPitch } = object(parameters)
      const uuids = Array.isArray(parts) ? parts.join(',') : undefined
      return bytes(
        await get('pdf', { parts: uuids || undefined, concertPitch: isConcertPitch === true || undefined }),
      )
    },
    getMIDI: async () => bytes(await get('midi')),
    getMP3: mp3,
    getWAV: async () => wavOf(await mp3()),
    async getFlatScoreMetadata() {
      const { hosted } = (await embed.shown()).files
      if (!hosted) throw new Error('The score is not on this server, so it has no metadata.')
      return scoreDetails(hosted.score, hosted.sharingKey)
    },
  }
}

const isBinary = (data: unknown): data is Uint8Array | ArrayBuffer =>
  data instanceof Uint8Array || data instanceof ArrayBuffer

function fileOf(data: unknown): Uint8Array | string | undefined {
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  return data instanceof Uint8Array || (typeof data === 'string' && data !== '') ? data : undefined
}

/** Returns the document. One that prints no title gets a credit with it, where programmes look for the title. */
function withTitle({ document, score }: ShownScore): JsonDocument {
  const root = document['score-partwise']
  const credits = all(root, 'credit').map((credit) => plainCredit(credit))
  if (credits.some((credit) => credit['credit-type'] === 'title') || score.title === '')
    return credits.length > 0 ? { 'score-partwise': { ...root, credit: credits } } : document
  const title = { 'credit-type': 'title', 'credit-words': score.title }
  return { 'score-partwise': { ...root, credit: [title, ...credits] } }
}

/** A credit of one type and one text is written without lists. */
function plainCredit(credit: unknown): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(credit as object))
    plain[name] = Array.isArray(value) && value.length === 1 ? value[0] : value
  return attribute(credit, 'page') === '1' ? (({ $page: _, ...rest }) => rest)(plain) : plain
}
