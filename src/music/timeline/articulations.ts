import type { Element } from '../model/document.ts'
import { tableOf } from './table.ts'

export interface Articulation {
  /** How much of its length is left, 0–1. */
  readonly gate: number
  /** The change of the velocity. */
  readonly accent: number
}

/** MusicXML 4.0, element `articulations`. The specification names the signs; how much they do is our choice. */
const effects = tableOf<Articulation>({
  accent: { gate: 1, accent: 16 },
  'strong-accent': { gate: 0.75, accent: 24 },
  'soft-accent': { gate: 1, accent: 8 },
  stress: { gate: 1, accent: 10 },
  unstress: { gate: 1, accent: -10 },
  staccato: { gate: 0.5, accent: 0 },
  spiccato: { gate: 0.5, accent: 0 },
  staccatissimo: { gate: 0.33, accent: 0 },
  tenuto: { gate: 1, accent: 2 },
  'detached-legato': { gate: 0.75, accent: 2 },
  'breath-mark': { gate: 0.85, accent: 0 },
  caesura: { gate: 0.75, accent: 0 },
})

const PORTATO_GATE = 0.75

/** The combined effect of the marks in one `articulations` element on the duration and velocity of a note. */
export function articulationOf(
  articulations: Element,
  before: Articulation = { gate: 1, accent: 0 },
): Articulation {
  let { gate, accent } = before
  let isTenuto = false
  let isStaccato = false
  for (const sign of articulations.children) {
    const effect = effects.get(sign.name)
    if (effect === undefined) continue
    gate = Math.min(gate, effect.gate)
    accent += effect.accent
    isTenuto ||= sign.name === 'tenuto'
    isStaccato ||= sign.name === 'staccato'
  }
  // A dot under a line is portato, longer than the dot alone.
  return { gate: isTenuto && isStaccato ? PORTATO_GATE : gate, accent }
}

/**
 * The length of each fermata by its shape (MusicXML 4.0, data type fermata-shape). An empty shape is
 * "normal".
 */
const stretches = tableOf<number>({
  'double-angled': 1.15,
  angled: 1.25,
  square: 2,
  'double-square': 2.5,
})

/** The factor by which a fermata stretches the time under it. */
export function stretchOf(fermata: Element): number {
  return stretches.get(fermata.text.trim()) ?? 1.6
}
