/** The channel of unpitched percussion as `midi-channel` counts it, from 1 (General MIDI 1). */
export const PERCUSSION_CHANNEL_NUMBER = 10
