import { fail } from '../../../errors.ts'
import { leaf, node } from '../../model/element.ts'
import type { Instrument } from '../../model/instruments/instrument.ts'
import { recognizeInstrument } from '../../model/instruments/recognition.ts'
import { PERCUSSION_CHANNEL_NUMBER } from '../../model/instruments/percussion-channel.ts'
import { MAX_PARTS } from '../../model/limits.ts'
import type { PerformedNote, PerformedPart } from '../../transcription/performance.ts'
import { PERCUSSION_CHANNEL } from './channels.ts'
import { lyricsOf } from './lyrics.ts'
import type { MidiFile, MidiNote, MidiTrack } from './midi-file.ts'
import { transpositionOf } from './transposition.ts'

/** Notes that are one part. */
interface Voice {
  readonly track: MidiTrack
  /** The channel of its first note, as in `MidiNote`. */
  readonly channel: number
  readonly name: string
  readonly instrument: Instrument
  readonly program: number
  readonly isPercussion: boolean
  readonly notes: readonly MidiNote[]
}

/** Names that programs give to tracks without a name. */
const placeholders =
  /^(?:track|spur|piste|pista|midi|untitled|unnamed|staff|part|channel|instrument|ch)?[\s#.:_-]*\d*$/i
const rightHand = /\b(?:right|rh|r\.h\.|treble|droite|rechts?|rechte|derecha|upper)\b/i
const leftHand = /\b(?:left|lh|l\.h\.|bass|gauche|links?|linke|izquierda|lower)\b/i
/** Parts of names that only say which hand plays. */
const handWords =
  /[\s,:(/-]*\b(?:right|left|rh|lh|r\.h\.|l\.h\.|treble|bass|droite|gauche|rechts?|rechte|links?|linke|derecha|izquierda|upper|lower|main|mano|hand)\b\.?\)?/gi
/** Quarter notes in which two channels of a track have notes, as a share, above which they are two parts. */
const TOGETHER_SHARE = 0.1
const SPAN_OF_CHANNELS = 4

export interface MidiParts {
  readonly parts: readonly PerformedPart[]
  /** The tracks with a part that is written at another pitch. */
  readonly transposing: ReadonlySet<MidiTrack>
}

/**
 * The parts of a MIDI file. A track is a part, and so is each channel of a single track, or of a track whose channels play
 * at the same time. Two tracks that play the hands of one keyboard are one part with two staves.
 * @throws INVALID_MIDI for more parts than a score may have
 */
export function partsOfMidi(file: MidiFile): MidiParts {
  const voices = voicesOf(file)
  const lyrics = lyricsOf(
    file,
    voices.map(({ track, notes }) => ({ track, notes })),
  )
  const pedals = Map.groupBy(file.pedals, ({ channel }) => channel)
  const parts: PerformedPart[] = []
  const transposing = new Set<MidiTrack>()
  for (let index = 0; index < voices.length; index++) {
    const voice = voices[index] as Voice
    const other = voices[index + 1]
    const hands = other && handsOf(voice, other)
    const staffNotes = (own: Voice, place: number, staff?: 1 | 2): PerformedNote[] =>
      own.notes.map((note) => ({
        start: note.start / file.ticksPerQuarter,
        end: note.end / file.ticksPerQuarter,
        key: note.key,
        velocity: note.velocity,
        staff,
        lyric: lyrics[place]?.get(note),
      }))
    const notes =
      hands === undefined || other === undefined
        ? staffNotes(voice, index)
        : [...staffNotes(voice, index, hands[0]), ...staffNotes(other, index + 1, hands[1])]
    const channels = new Set([voice, ...(hands && other ? [other] : [])].flatMap((own) => channelsIn(own)))
    const ownPedals = [...channels].flatMap((channel) => pedals.get(channel) ?? [])
    if (channels.size > 1) ownPedals.sort((a, b) => a.tick - b.tick)
    const transposition = transpositionOf(voice.instrument, voice.name)
    if (transposition !== undefined && transposition.chromatic !== 0) transposing.add(voice.track)
    parts.push({
      name: hands === undefined ? voice.name : nameOfBoth(voice),
      instrument: voice.instrument,
      program: voice.program,
      isPercussion: voice.isPercussion,
      transposition,
      notes: notes.sort((a, b) => a.start - b.start),
      pedals: ownPedals.map(({ tick, isDown }) => ({ quarter: tick / file.ticksPerQuarter, isDown })),
    })
    if (hands !== undefined) index += 1
  }
  return { parts, transposing }
}

const channelsIn = ({ notes }: Voice): number[] => [...new Set(notes.map(({ channel }) => channel))]

function voicesOf(file: MidiFile): Voice[] {
  const sounding = file.tracks.filter(({ notes }) => notes.length > 0)
  const programs = Map.groupBy(file.programs, ({ channel }) => channel)
  const groups = sounding.map((track) => ({
    track,
    groups: sounding.length === 1 ? byChannel(track) : splitIfTogether(track, file.ticksPerQuarter),
  }))
  const count = groups.reduce((sum, own) => sum + own.groups.length, 0)
  if (count > MAX_PARTS) {
    const message = `The MIDI file has too much music for one score: ${count} parts, more than ${MAX_PARTS}.`
    fail('INVALID_MIDI', { message })
  }
  return groups.flatMap(({ track, groups: own }) =>
    own.map((notes) => voiceOf(track, notes, programs, own.length > 1)),
  )
}

const byChannel = ({ notes }: MidiTrack): MidiNote[][] =>
  [...Map.groupBy(notes, ({ channel }) => channel)].sort(([a], [b]) => a - b).map(([, own]) => own)

/** Programs write the ways of playing of one instrument on several channels, which take turns. */
function splitIfTogether(track: MidiTrack, ticksPerQuarter: number): MidiNote[][] {
  const channels = byChannel(track)
  if (channels.length === 1) return channels
  const isDrums = ({ channel }: MidiNote) => channel % 16 === PERCUSSION_CHANNEL
  const span = SPAN_OF_CHANNELS * ticksPerQuarter
  const spans = Map.groupBy(track.notes, ({ start }) => Math.floor(start / span))
  const together = [...spans.values()].filter(
    (notes) => new Set(notes.map(({ channel }) => channel)).size > 1,
  )
  if (together.length > TOGETHER_SHARE * spans.size) return channels
  const [drums, others] = [track.notes.filter(isDrums), track.notes.filter((note) => !isDrums(note))]
  return [others, drums].filter((notes) => notes.length > 0)
}

function voiceOf(
  track: MidiTrack,
  notes: readonly MidiNote[],
  programs: ReadonlyMap<number, MidiFile['programs']>,
  isOneOfSeveral: boolean,
): Voice {
  const [first] = notes
  const channel = first?.channel ?? 0
  const isPercussion = channel % 16 === PERCUSSION_CHANNEL
  const own = programs.get(channel) ?? []
  const program = (own.findLast(({ tick }) => tick <= (first?.start ?? 0)) ?? own[0])?.program ?? 0
  const isNamed = track.name !== undefined && !placeholders.test(track.name) && !isOneOfSeveral
  const name = isNamed ? (track.name ?? '') : ''
  const instrument = recognizeInstrument(
    node('score-part', [
      leaf('part-name', name),
      node('midi-instrument', [
        leaf('midi-channel', isPercussion ? PERCUSSION_CHANNEL_NUMBER : 1),
        leaf('midi-program', program + 1),
      ]),
    ]),
  )
  const known = isPercussion || instrument.drums === undefined ? instrument : melodicInstrument(program)
  return {
    track,
    channel,
    name: name || (isPercussion ? 'Drum Set' : known.names.en[0]),
    instrument: known,
    program,
    isPercussion,
    notes,
  }
}

/** A track that is named after a drum and plays pitches. */
const melodicInstrument = (program: number): Instrument =>
  recognizeInstrument(node('score-part', [node('midi-instrument', [leaf('midi-program', program + 1)])]))

const medianKeyOf = ({ notes }: Voice): number =>
  notes.map(({ key }) => key).sort((a, b) => a - b)[notes.length >> 1] ?? 0

/** The staves of two voices that are the hands of one player. Without names for the hands, the upper staff has the higher notes. */
function handsOf(one: Voice, other: Voice): [1 | 2, 1 | 2] | undefined {
  const isKeyboard = [one, other].every(
    ({ instrument, isPercussion }) => !isPercussion && instrument.clefs.length >= 2,
  )
  if (!isKeyboard || one.instrument !== other.instrument) return undefined
  if (rightHand.test(one.name) && leftHand.test(other.name)) return [1, 2]
  if (leftHand.test(one.name) && rightHand.test(other.name)) return [2, 1]
  const isSame = one.channel === other.channel && one.name === other.name && one.track !== other.track
  if (!isSame) return undefined
  return medianKeyOf(one) < medianKeyOf(other) ? [2, 1] : [1, 2]
}

function nameOfBoth({ name, instrument }: Voice): string {
  const rest = name.replace(handWords, '').trim()
  return rest === '' ? instrument.names.en[0] : rest
}
