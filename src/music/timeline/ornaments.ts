import type { Element } from '../model/document.ts'
import { glissandoSteps } from './glissandos.ts'
import { keyAt, type KeysOfStaves, keysAfter } from './key-alterations.ts'
import { accidentalsOf, type Surroundings } from './neighbours.ts'
import type { Ornament, Slide } from './ornament.ts'
import { ornamentOf } from './ornament-signs.ts'
import type { PartSounds } from './part-sounds.ts'
import { alternate, tremoloOf, tremoloSignOf } from './tremolos.ts'
import { trillLines } from './trill-lines.ts'
import { numberOf, type WrittenMeasure, type WrittenNote, type WrittenPart } from './written.ts'

/**
 * Finds the ornaments of all notes of a part (MusicXML 4.0, elements `ornaments`, `glissando` and `slide`). A
 * sign over a chord ornaments its highest note, a tremolo the whole chord.
 */
export function applyOrnaments(part: WrittenPart, sounds: PartSounds, ticksPerQuarter: number): void {
  const lines = trillLines()
  const glides = openGlides(sounds)
  let keys: KeysOfStaves = new Map()
  for (const measure of part.measures) {
    const changes = keyChangesOf(measure, keys)
    keys = changes.at(-1)?.keys ?? keys
    if (!lines.isOpen() && measure.notes.every(({ signs }) => signs === undefined)) continue
    const accidentals = accidentalsOf(measure.notes)
    let first: { readonly voice: string; readonly notes: readonly WrittenNote[] } | undefined
    for (const notes of chordsOf(measure)) {
      const [{ at, voice, staff, grace }] = notes
      const keysHere = changes.findLast((change) => change.at <= at)?.keys ?? keys
      const surroundings = { key: keyAt(keysHere, staff), accidentals }
      if (grace !== undefined) {
        lines.add(notes, surroundings)
        continue
      }
      const tremolo = applyTremolo(notes, ticksPerQuarter)
      if (tremolo === 'first') first = { voice, notes }
      else if (tremolo === 'second' && first?.voice === voice) alternate(first.notes, notes)
      if (tremolo === undefined) applySigns(notes, surroundings)
      lines.add(notes, surroundings)
      for (const note of notes) glides.add(note, surroundings)
    }
  }
}

interface KeyChange {
  readonly at: number
  readonly keys: KeysOfStaves
}

/** The key signatures of a measure by position: those before it, and those of its changes. */
function keyChangesOf({ marks }: WrittenMeasure, before: KeysOfStaves): KeyChange[] {
  const changes: KeyChange[] = [{ at: 0, keys: before }]
  let keys = before
  const attributes = marks.filter(({ element }) => element.name === 'attributes')
  for (const { at, element } of attributes.sort((a, b) => a.at - b.at)) {
    keys = keysAfter(element, keys)
    changes.push({ at, keys })
  }
  return changes
}

type Chord = readonly [WrittenNote, ...WrittenNote[]]

/** The chords of a measure by position. Each grace note is alone. */
function chordsOf({ notes }: WrittenMeasure): Chord[] {
  const chords = new Map<string, [WrittenNote, ...WrittenNote[]]>()
  for (const note of notes) {
    const name = note.grace === undefined ? `${note.at}/${note.voice}` : `grace ${chords.size}`
    const chord = chords.get(name)
    if (chord === undefined) chords.set(name, [note])
    else chord.push(note)
  }
  return [...chords.values()]
}

/** @returns the place in an alternation, 'single', or undefined without a tremolo */
function applyTremolo(chord: Chord, ticksPerQuarter: number): 'first' | 'second' | 'single' | undefined {
  const signs = chord.map((note) => note.signs && tremoloSignOf(note.signs))
  const shared = signs.find((sign) => sign !== undefined)
  if (shared === undefined) return undefined
  let turn: 'first' | 'second' | undefined
  for (const [index, note] of chord.entries()) {
    const tremolo = tremoloOf(note, signs[index] ?? shared, ticksPerQuarter)
    note.ornament = tremolo
    turn ??= tremolo.turn
  }
  return turn ?? 'single'
}

function applySigns(chord: Chord, surroundings: Surroundings): void {
  const signed = chord.filter(({ signs }) => signs !== undefined)
  const [only] = signed
  if (only?.signs === undefined) return
  if (signed.length > 1) {
    for (const note of signed) note.ornament = ornamentOf(note, note.signs ?? [], surroundings)
    return
  }
  const ornamented = highestOf(chord)
  ornamented.ornament = ornamentOf(ornamented, only.signs, surroundings)
}

function highestOf(chord: Chord): WrittenNote {
  return chord.reduce((highest, note) => (note.key > highest.key ? note : highest))
}

interface OpenGlides {
  add(note: WrittenNote, surroundings: Surroundings): void
}

/** Pairs the starts and stops of glissandos and slides by their numbers, in the order of the notes. */
function openGlides(sounds: PartSounds): OpenGlides {
  const open = new Map<string, { sign: Element; note: WrittenNote; surroundings: Surroundings }[]>()
  const nameOf = ({ name, attributes }: Element) => `${name}/${attributes.number ?? '1'}`
  return {
    add(note, surroundings) {
      const glides = note.signs?.filter(({ name }) => name === 'glissando' || name === 'slide') ?? []
      for (const glide of glides) {
        if (glide.attributes.type !== 'stop') continue
        const start = open.get(nameOf(glide))?.shift()
        if (start !== undefined) start.note.ornament ??= glideOf(start.sign, start, note, sounds)
      }
      for (const glide of glides) {
        if (glide.attributes.type !== 'start') continue
        const start = { sign: glide, note, surroundings }
        const others = open.get(nameOf(glide))
        // Notes of a chord may share a number. A start without a stop is forgotten.
        if (others?.[0]?.note.at === note.at) others.push(start)
        else open.set(nameOf(glide), [start])
      }
    },
  }
}

/** The times of a slide are those of `bend-sound`: it moves from 25 to 75 percent of its note. */
function slideOf(attributes: Element['attributes'], semitones: number): Slide {
  const percent = (text: string | undefined, otherwise: number) =>
    Math.min(100, Math.max(0, numberOf(text) ?? otherwise))
  const firstAt = percent(attributes['first-beat'], 25)
  return {
    kind: 'slide',
    semitones,
    firstAt,
    lastAt: Math.max(firstAt, percent(attributes['last-beat'], 75)),
  }
}

function glideOf(
  { name, attributes }: Element,
  { note, surroundings: { key } }: { readonly note: WrittenNote; readonly surroundings: Surroundings },
  to: WrittenNote,
  sounds: PartSounds,
): Ornament | undefined {
  if (note.percussion || to.percussion || note.key === to.key) return undefined
  if (name === 'slide') return slideOf(attributes, to.key + to.bend - note.key - note.bend)
  const { program } = sounds.instrument(note.instrument)
  return { kind: 'glissando', steps: glissandoSteps(note.key, to.key, { program, key }) }
}
