import { PERCUSSION_CHANNEL_NUMBER } from '../../model/instruments/percussion-channel.ts'
import type { TimelinePart } from '../../timeline/played.ts'

/** The port and channel of a part's notes. */
export interface MidiChannel {
  /** From 0; each port has 16 channels. */
  readonly port: number
  /** 0–15. */
  readonly channel: number
}

/** The channel of percussion in a message, which counts from 0. */
export const PERCUSSION_CHANNEL = PERCUSSION_CHANNEL_NUMBER - 1
const MELODIC_CHANNELS = 15

/**
 * Assigns a channel to each part. Percussion has channel 10. Up to 15 melodic parts have one channel each, in
 * score order. If there are more, parts with the same sound throughout (program, volume, pan and pedals)
 * share a channel. If there are more than 15 sounds, the rest use further ports, which a meta event names
 * (0x21, not in the standard but widely read). A player without ports plays these with the wrong instrument.
 */
export function channelsOf(parts: readonly TimelinePart[]): MidiChannel[] {
  const melodic = parts.filter((part) => !part.percussion).length
  const isShared = melodic > MELODIC_CHANNELS
  const places = new Map<string, number>()
  return parts.map((part, index) => {
    if (part.percussion) return { port: 0, channel: PERCUSSION_CHANNEL }
    // A bend would be heard in the other parts of the channel.
    const isAlone = !isShared || part.notes.some(({ bend, slide }) => bend !== 0 || slide !== undefined)
    const sound = isAlone ? `${index}` : JSON.stringify([part.programs, part.controls])
    const place = places.get(sound) ?? places.size
    places.set(sound, place)
    const channel = place % MELODIC_CHANNELS
    return {
      port: Math.floor(place / MELODIC_CHANNELS),
      channel: channel < PERCUSSION_CHANNEL ? channel : channel + 1,
    }
  })
}
