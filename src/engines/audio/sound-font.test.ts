import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { tinySoundFont } from '../../../test/support/sound-font.ts'
import { openSoundFont, packagedSoundFont } from './sound-font.ts'

const folder = mkdtempSync(join(tmpdir(), 'partita-font-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(bytes: Uint8Array, name = 'font.sf2'): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

describe('a sound font', () => {
  test('is opened with the hash of its content and its size, whatever its name', () => {
    const font = tinySoundFont()
    const { hash, size } = openSoundFont(written(font))
    expect(size).toBe(font.length)
    expect(hash).toBe(openSoundFont(written(font, 'other.bin')).hash)
    expect(hash).not.toBe(openSoundFont(written(tinySoundFont({ frequency: 330 }))).hash)
  })

  test('that comes with Partita passes the checks', () => {
    expect(openSoundFont(packagedSoundFont.path).size).toBe(packagedSoundFont.size)
  })

  test.each([
    ['is not a sound font: it must be an SF2, SF3 or DLS file', Buffer.from('not a font')],
    ['is not a sound font: it must be an SF2, SF3 or DLS file', Buffer.alloc(0)],
    ['is cut off: it has 500 of', Buffer.from(tinySoundFont()).subarray(0, 500)],
    [
      'has no presets',
      Buffer.from(Buffer.from(tinySoundFont()).toString('latin1').replace('phdr', 'xxxx'), 'latin1'),
    ],
    [
      'has no samples',
      Buffer.from(Buffer.from(tinySoundFont()).toString('latin1').replace('smpl', 'xxxx'), 'latin1'),
    ],
  ])('%s', (problem, bytes) => {
    const path = written(bytes, 'bad.sf2')
    expect(() => openSoundFont(path)).toThrow(`${path} ${problem}`)
  })

  test('that does not exist cannot be opened', () => {
    expect(() => openSoundFont(join(folder, 'none.sf2'))).toThrow('none.sf2 cannot be opened (ENOENT)')
  })

  test('in DLS is a list of instruments and a pool of waves', () => {
    const list = (type: string, content: Buffer) =>
      Buffer.concat([Buffer.from('LIST'), uint32(4 + content.length), Buffer.from(type), content])
    const chunk = Buffer.concat([Buffer.from('ins '), uint32(0)])
    const riff = (...chunks: Buffer[]) => {
      const content = Buffer.concat([Buffer.from('DLS '), ...chunks])
      return Buffer.concat([Buffer.from('RIFF'), uint32(content.length), content])
    }
    expect(openSoundFont(written(riff(list('lins', chunk), list('wvpl', chunk)))).size).toBe(52)
    expect(() => openSoundFont(written(riff(list('wvpl', chunk))))).toThrow('has no presets')
    expect(() => openSoundFont(written(riff(list('lins', chunk))))).toThrow('has no samples')
  })
})

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
