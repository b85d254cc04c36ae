import { readContentJson } from '../../../lib/content.ts'
import { child, childrenNamed, childText, type Element } from '../document.ts'
import type { Instrument, InstrumentLanguage } from './instrument.ts'

/** An instrument's name is short; the patterns that take it apart would take seconds over a long text. */
const LONGEST_NAME = 200

/** The files in `content/instruments/`. If a name alone must decide between two instruments, the earlier one wins. */
const families = [
  'keyboards',
  'vocals',
  'strings',
  'plucked-strings',
  'woodwinds',
  'brass',
  'pitched-percussion',
  'unpitched-percussion',
]

/** Every instrument that Partita knows. */
export const instruments: readonly Instrument[] = families.flatMap(
  (family) => readContentJson(`instruments/${family}.json`) as Instrument[],
)

/** The name of an instrument in the interface: `strings.violin`. */
export function instrumentKey(instrument: Instrument): string {
  return `${instrument.group}.${instrument.id}`
}

const byKey = new Map(instruments.map((instrument) => [instrumentKey(instrument), instrument]))

/** Finds the instrument of a group and an id. Returns undefined if the table has none. */
export function findInstrument(group: string, id: string): Instrument | undefined {
  return byKey.get(`${group}.${id}`)
}

/** Finds the instrument of a key from `instrumentKey`. Returns undefined if the table has none. */
export function findInstrumentByKey(key: string): Instrument | undefined {
  return byKey.get(key)
}

/**
 * The long name in the language of a locale (`fr`, `pt-BR`), or in English if the table does not have that
 * language.
 */
export function instrumentName(instrument: Instrument, locale: string): string {
  const language = locale.split(/[-_]/, 1)[0]?.toLowerCase() as InstrumentLanguage
  return (Object.hasOwn(instrument.names, language) ? instrument.names[language] : instrument.names.en)[0]
}

/**
 * Finds the instrument of a `score-part`. Always returns an instrument of the table: the nearest one if the
 * table does not have the right one.
 *
 * The name that is printed before the staff decides first, because the reader sees it, while a sound is often
 * only chosen for playback. If several instruments have the name (Alto, Bass, Guitar), the standard sound
 * decides, then the MIDI program. Without a known name, these decide in turn: the sound and the sounds above
 * it; the abbreviation, the instrument-name, the last and the first word of the name (Piccolo Trumpet, Piano
 * RH); unpitched MIDI keys or channel 10, which mean a drum set; the MIDI program or its General MIDI family.
 * The last resort is a piano.
 */
export function recognizeInstrument(scorePart: Element): Instrument {
  const played = child(scorePart, 'score-instrument')
  const midi = child(scorePart, 'midi-instrument')
  const percussive = midi !== undefined && isPercussive(midi)
  const severalDrums = percussive && childrenNamed(scorePart, 'score-instrument').length > 1
  const sound = severalDrums
    ? drumset
    : instrumentOfSound((played && childText(played, 'instrument-sound')) ?? '')
  const program = midi === undefined ? undefined : midiProgram(midi)

  const partName = childText(scorePart, 'part-name') ?? ''
  const named = instrumentsNamed(partName)
  if (named.length > 0) return settle(named, sound, program)
  if (sound !== undefined) return sound

  const words = (simplifiedNames(partName).at(-1) ?? '').split(' ')
  const otherNames = [
    childText(scorePart, 'part-abbreviation'),
    played && childText(played, 'instrument-name'),
    words.at(-1),
    words[0],
  ]
  for (const name of otherNames) {
    const alsoNamed = instrumentsNamed(name ?? '')
    if (alsoNamed.length > 0) return settle(alsoNamed, sound, program)
  }
  if (percussive) return drumset
  return program === undefined ? piano : instrumentOfProgram(program)
}

function isPercussive(midiInstrument: Element): boolean {
  return (
    child(midiInstrument, 'midi-unpitched') !== undefined ||
    childText(midiInstrument, 'midi-channel') === '10'
  )
}

function settle(
  candidates: readonly Instrument[],
  sound: Instrument | undefined,
  program: number | undefined,
): Instrument {
  return (
    candidates.find((candidate) => candidate === sound) ??
    candidates.find((candidate) => candidate.group === sound?.group) ??
    candidates.find((candidate) => candidate.program === program) ??
    (candidates[0] as Instrument)
  )
}

function midiProgram(midiInstrument: Element): number | undefined {
  const program = Number(childText(midiInstrument, 'midi-program'))
  return Number.isInteger(program) && program >= 1 && program <= 128 ? program - 1 : undefined
}

const piano = instrumentByKey('keyboards.piano')
const drumset = instrumentByKey('unpitched-percussion.drumset-rock')

/** For each family of eight General MIDI programs, the instrument that represents unknown programs. */
const programFamilies = [
  piano,
  instrumentByKey('pitched-percussion.glockenspiel'),
  instrumentByKey('keyboards.organ'),
  instrumentByKey('plucked-strings.acoustic-guitar'),
  instrumentByKey('plucked-strings.bass-guitar'),
  instrumentByKey('strings.violin'),
  instrumentByKey('strings.violin'),
  instrumentByKey('brass.trumpet'),
  instrumentByKey('woodwinds.clarinet'),
  instrumentByKey('woodwinds.flute'),
]

function instrumentOfProgram(program: number): Instrument {
  const exact = instruments.find(
    (instrument) => instrument.program === program && instrument.drums === undefined,
  )
  return exact ?? programFamilies[program >> 3] ?? piano
}

const bySound = new Map<string, Instrument>()
for (const instrument of instruments) {
  for (const sound of [instrument.sound, ...(instrument.otherSounds ?? [])]) {
    if (!bySound.has(sound)) bySound.set(sound, instrument)
  }
}

function instrumentOfSound(sound: string): Instrument | undefined {
  for (let name = sound; name !== ''; name = name.slice(0, Math.max(name.lastIndexOf('.'), 0))) {
    const instrument = bySound.get(name)
    if (instrument !== undefined) return instrument
  }
  return undefined
}

const byName = new Map<string, Instrument[]>()
for (const instrument of instruments) {
  const names = [...Object.values(instrument.names).flat(), ...instrument.aliases]
  for (const name of names.map(plainName)) {
    const candidates = byName.get(name)
    if (candidates === undefined) byName.set(name, [instrument])
    else if (!candidates.includes(instrument)) candidates.push(instrument)
  }
}

function instrumentsNamed(name: string): readonly Instrument[] {
  for (const form of simplifiedNames(name)) {
    const instrument = byName.get(form)
    if (instrument !== undefined) return instrument
  }
  return []
}

/**
 * The forms of a written name down to the bare instrument: `1st B♭ Clarinets` → `clarinet`. Longer forms come
 * first.
 */
function simplifiedNames(name: string): string[] {
  const forms = [plainName(name)]
  const simplify = (pattern: RegExp) => {
    const simpler = forms.at(-1)?.replace(pattern, '')
    if (simpler !== undefined && simpler !== '' && simpler !== forms.at(-1)) forms.push(simpler)
  }
  simplify(/ (?:in|en) .+$/)
  simplify(/(?: (?:\d+|[ivx]+|[ab]))+$/)
  simplify(/^(?:\d+(?:st|nd|rd|th|er|re|eme|o|a)?|solo) /)
  simplify(/^[a-h](?:b|#|is|es|s)?(?: (?:flat|sharp))? /)
  simplify(/s$/)
  return forms
}

/** Lower case without accents and punctuation, so that `Flûte (Solo)`, `flute` and `FLUTE` are equal. */
function plainName(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replaceAll('♭', 'b')
    .replaceAll('♯', '#')
    .replaceAll('ß', 'ss')
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim()
}

function instrumentByKey(key: string): Instrument {
  const instrument = byKey.get(key)
  if (instrument === undefined) throw new Error(`The instrument table lacks ${key}.`)
  return instrument
}
