/** Types of meta events (Standard MIDI Files 1.0; RP-017 for the lyrics). The port is not standard, but widely written. */
export const meta = {
  text: 0x01,
  copyright: 0x02,
  name: 0x03,
  instrument: 0x04,
  lyric: 0x05,
  marker: 0x06,
  port: 0x21,
  tempo: 0x51,
  meter: 0x58,
  key: 0x59,
} as const
