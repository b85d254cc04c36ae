import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../../../../test/support/failure.ts'
import { Failure } from '../../../errors.ts'
import { createRepairs } from '../repairs.ts'
import { containerPath, MAX_ENTRIES, readMxl } from './read.ts'
import { writeMxl } from './write.ts'
import { MAX_XML_BYTES } from '../../model/limits.ts'

interface EntryOptions {
  readonly name: string
  readonly content?: string | Uint8Array
  readonly stored?: boolean
  /** False values for fields of the archive. */
  readonly size?: number
  readonly crc?: number
  readonly flags?: number
  readonly method?: number
}

/** A ZIP file written byte by byte (APPNOTE.TXT 6.3), so that its fields can have false values. */
function zip(entries: readonly EntryOptions[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content = '', stored = false, ...lies } of entries) {
    const data = Buffer.from(content as string)
    const packed = stored ? data : deflateRawSync(data)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(lies.flags ?? 0, 2)
    header.writeUInt16LE(lies.method ?? (stored ? 0 : 8), 4)
    header.writeUInt32LE(lies.crc ?? crc32(data), 10)
    header.writeUInt32LE(packed.length, 14)
    header.writeUInt32LE(lies.size ?? data.length, 18)
    header.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), header, tail, Buffer.from(name)]),
    )
    locals.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...directory, end])
}

function container(path: string): EntryOptions {
  return {
    name: 'META-INF/container.xml',
    content: `<container><rootfiles><rootfile full-path="${path}"/><rootfile full-path="other.xml"/></rootfiles></container>`,
  }
}

async function textOf(archive: Uint8Array): Promise<string> {
  return Buffer.from(await readMxl(archive)).toString()
}

describe('readMxl', () => {
  const score = { name: 'lied.xml', content: '<score-partwise/>' }

  it('returns the first root file of the container, deflated or stored', async () => {
    const other = { name: 'other.xml', content: '<other/>' }
    expect(await textOf(zip([other, container('lied.xml'), score]))).toBe('<score-partwise/>')
    expect(await textOf(zip([{ ...score, stored: true }, container('lied.xml')]))).toBe('<score-partwise/>')
  })

  it('reads a container with a namespace and a byte order mark', async () => {
    const content =
      '\ufeff<?xml version="1.0"?><c:container xmlns:c="urn:x"><c:rootfile full-path="a/lied.xml"/></c:container>'
    const archive = zip([
      { name: 'META-INF/container.xml', content },
      { ...score, name: 'a/lied.xml' },
    ])
    expect(await textOf(archive)).toBe('<score-partwise/>')
  })

  it('returns the only score if there is no container', async () => {
    const others = [
      { name: 'picture.png' },
      { name: 'META-INF/x.xml' },
      { name: '__MACOSX/._lied.xml' },
      { name: 'folder/' },
    ]
    expect(await textOf(zip([...others, score]))).toBe('<score-partwise/>')
    expect(await textOf(zip([{ ...score, name: 'LIED.MusicXML' }]))).toBe('<score-partwise/>')
  })

  it('does not inflate other entries', async () => {
    const bomb = { name: 'bomb.xml', content: Buffer.alloc(1024), size: 4_000_000_000, crc: 1 }
    expect(await textOf(zip([bomb, container('lied.xml'), score]))).toBe('<score-partwise/>')
  })

  it.each([
    ['nothing', Buffer.alloc(0), ['cannot be opened']],
    ['something else', Buffer.from('other bytes, as many as an archive has'), ['cannot be opened']],
    ['a truncated archive', zip([score]).subarray(0, -10), ['cannot be opened']],
    ['an archive whose beginning is missing', zip([score]).subarray(20), ['ntry']],
    ['an empty archive', zip([]), ['empty']],
    ['an archive without a score', zip([{ name: 'readme.txt' }]), ['META-INF/container.xml', '.musicxml']],
    ['an archive of two scores', zip([score, { name: 'b.xml' }]), ['2 files']],
    [
      'a container without a root file',
      zip([{ name: 'META-INF/container.xml', content: '<container/>' }]),
      ['no root file'],
    ],
    [
      'a container that is not well-formed',
      zip([{ name: 'META-INF/container.xml', content: '<container>\n<' }]),
      ['META-INF/container.xml: Line 2, column 1'],
    ],
    [
      'a container that is not text',
      zip([{ name: 'META-INF/container.xml', content: Buffer.of(0xff) }]),
      ['META-INF/container.xml', 'offset 0'],
    ],
    ['a root file that is missing', zip([container('x.xml')]), ['META-INF/container.xml names "x.xml"']],
    [
      'a path out of the archive',
      zip([score, { name: '../../etc/passwd' }]),
      ['Entry 2', '../../etc/passwd'],
    ],
    [
      'a path out of the archive by backslashes',
      zip([score, { name: '..\\up.xml' }]),
      ['Entry 2', '../up.xml'],
    ],
    ['an absolute path', zip([{ name: '/etc/passwd' }, score]), ['Entry 1', 'absolute path: /etc/passwd']],
    ['an encrypted entry', zip([{ ...score, flags: 1 }]), ['Entry "lied.xml" is encrypted']],
    ['an unknown compression', zip([{ ...score, method: 14 }]), ['Entry "lied.xml"', 'method 14']],
    ['a size that is too small', zip([{ ...score, size: 3 }]), ['Entry "lied.xml"', 'too many bytes']],
    ['a size that is too large', zip([{ ...score, size: 300 }]), ['Entry "lied.xml"', 'not enough bytes']],
    ['a stored size that is wrong', zip([{ ...score, stored: true, size: 3 }]), ['Entry 1', 'size mismatch']],
    ['a wrong checksum', zip([{ ...score, crc: 7 }]), ['Entry "lied.xml"', 'checksum']],
    [
      'invalid deflated data',
      zip([{ ...score, stored: true, method: 8 }]),
      ['Entry "lied.xml"', 'cannot be read'],
    ],
    [
      'too many entries',
      zip(Array.from({ length: MAX_ENTRIES + 1 }, (_, index) => ({ name: `${index}` }))),
      ['1001 entries'],
    ],
  ])('refuses %s and names the entry', async (_what, archive, parts) => {
    const { code, status, message } = await rejectionOf(readMxl(archive))
    expect({ code, status }).toEqual({ code: 'INVALID_ARCHIVE', status: 400 })
    for (const part of parts) expect(message).toContain(part)
  })

  it.each([
    ['has no root file', { name: containerPath, content: '<container/>' }],
    ['is not well-formed', { name: containerPath, content: '<container>\n<' }],
    ['is no text', { name: containerPath, content: Buffer.of(0xff) }],
    ['names a missing file', container('x.xml')],
    ['has a wrong checksum', { ...container('lied.xml'), crc: 7 }],
  ])('reads the only score of an archive if the container %s, and reports that', async (_what, faulty) => {
    const repairs = createRepairs()
    const read = await readMxl(zip([faulty, score]), repairs)
    expect(Buffer.from(read).toString()).toBe('<score-partwise/>')
    expect(repairs.list).toEqual([
      {
        line: null,
        message: expect.stringMatching(/container\.xml.*The only score in the archive was read\.$/),
      },
    ])
    const { message } = await rejectionOf(readMxl(zip([faulty, score, { name: 'b.xml' }])))
    expect(message).toContain(containerPath)
  })

  it('refuses a score that is too large when inflated', async () => {
    const bomb = { ...score, content: Buffer.alloc(MAX_XML_BYTES + 1) }
    const failure = await rejectionOf(readMxl(zip([bomb, container('lied.xml')])))
    expect(failure).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 })
    expect(failure.message).toContain('entry "lied.xml"')
    const largest = { ...score, content: Buffer.alloc(MAX_XML_BYTES, 0x20) }
    expect((await readMxl(zip([largest]))).length).toBe(MAX_XML_BYTES)
  })

  it('stops inflating at the declared size', async () => {
    const bomb = { ...score, content: Buffer.alloc(64 * 1024 * 1024), size: 1_000 }
    expect((await rejectionOf(readMxl(zip([bomb])))).message).toMatch(/Entry "lied.xml".*expected 1000/)
  })

  it('refuses a container that is too large', async () => {
    const large = { ...container('lied.xml'), content: Buffer.alloc(100_000, 0x20) }
    expect((await rejectionOf(readMxl(zip([large, score])))).message).toContain('META-INF/container.xml')
  })

  it('reads or refuses an archive with any damage', async () => {
    const archive = zip([container('lied.xml'), score, { ...score, name: 'stored.xml', stored: true }])
    const change = fc.record({ at: fc.nat(archive.length - 1), byte: fc.nat(255) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 4 }),
        fc.nat(archive.length),
        async (changes, length) => {
          const changed = Buffer.from(
            archive.subarray(0, length < archive.length / 2 ? archive.length : length),
          )
          for (const { at, byte } of changes) if (at < changed.length) changed[at] = byte
          const outcome = await readMxl(changed).catch((error: unknown) => error)
          if (!(outcome instanceof Failure)) expect(outcome).toBeInstanceOf(Uint8Array)
        },
      ),
      { seed: 22, numRuns: 500 },
    )
  })
})

describe('writeMxl', () => {
  const xml = '<score-partwise>ü</score-partwise>'

  it('writes archives that readMxl reads', async () => {
    expect(await textOf(await writeMxl(xml))).toBe(xml)
  })

  it('begins with the media type, uncompressed and without extra fields', async () => {
    const start = Buffer.from(await writeMxl(xml)).toString('latin1', 26, 26 + 4 + 8 + 34)
    expect(start).toBe('\x08\x00\x00\x00mimetypeapplication/vnd.recordare.musicxml')
  })

  it('writes the same bytes for the same score', async () => {
    expect(await writeMxl(xml)).toEqual(await writeMxl(xml))
  })
})
