/** Samples of the one sound of a font: a second, which loops. */
const length = 44_100

/**
 * Makes a sound font with one preset (SoundFont 2.01): a sine that is looped, for all keys.
 * @param frequency the pitch of key 69, in Hz. It must be whole, so that the loop has no seam.
 */
export function tinySoundFont({ frequency = 440 } = {}): Uint8Array {
  const samples = Buffer.alloc(2 * (length + 46))
  for (let i = 0; i < length; i++)
    samples.writeInt16LE(Math.round(20_000 * Math.sin((2 * Math.PI * frequency * i) / length)), 2 * i)
  const end = Buffer.alloc(38)
  end.write('EOP')
  end.writeUInt16LE(1, 24)
  const preset = Buffer.alloc(38)
  preset.write('Sine')
  const instrument = Buffer.alloc(44)
  instrument.write('Sine')
  instrument.write('EOI', 22)
  instrument.writeUInt16LE(1, 42)
  const sample = Buffer.alloc(92)
  sample.write('Sine')
  // Start, end, start and end of the loop, and the sample rate.
  for (const [index, value] of [0, length, 100, 44_000, 44_100].entries())
    sample.writeUInt32LE(value, 20 + 4 * index)
  sample.writeUInt8(69, 40)
  sample.writeUInt16LE(1, 44)
  sample.write('EOS', 46)
  return riff('RIFF', 'sfbk', [
    riff('LIST', 'INFO', [
      chunk('ifil', uint16(2, 1)),
      chunk('isng', Buffer.from('EMU8000\0')),
      chunk('INAM', Buffer.from('Tiny\0\0')),
    ]),
    riff('LIST', 'sdta', [chunk('smpl', samples)]),
    riff('LIST', 'pdta', [
      chunk('phdr', Buffer.concat([preset, end])),
      chunk('pbag', uint16(0, 0, 1, 0)),
      chunk('pmod', Buffer.alloc(10)),
      chunk('pgen', uint16(41, 0, 0, 0)),
      chunk('inst', instrument),
      chunk('ibag', uint16(0, 0, 2, 0)),
      chunk('imod', Buffer.alloc(10)),
      // Generator 54 with 1 is a loop. Generator 53 is the sample.
      chunk('igen', uint16(54, 1, 53, 0, 0, 0)),
      chunk('shdr', sample),
    ]),
  ])
}

const uint16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)

function chunk(id: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.write(id)
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)])
}

function riff(id: 'RIFF' | 'LIST', type: string, chunks: readonly Buffer[]): Buffer {
  return chunk(id, Buffer.concat([Buffer.from(type), ...chunks]))
}
