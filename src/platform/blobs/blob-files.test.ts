import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BlobFiles, diskFiles } from './blob-files.ts'

describe('diskFiles', () => {
  let folder: string
  let files: BlobFiles
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'partita-blobs-')), 'blobs')
    files = await diskFiles(folder)
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true }))

  it('reads the bytes that were written', async () => {
    await files.write('ab/cdef', Buffer.from('Kyrie'))
    expect(Buffer.from(await files.read('ab/cdef')).toString()).toBe('Kyrie')
  })

  it('leaves no temporary file', async () => {
    await files.write('ab/cdef', Buffer.from('Kyrie'))
    expect(await readdir(join(folder, 'ab'))).toEqual(['cdef'])
  })

  it('rejects with the name of a missing file', async () => {
    await expect(files.read('ab/cdef')).rejects.toThrow('The blob file ab/cdef is missing')
  })

  it('rejects with STORAGE_UNAVAILABLE if the folder cannot be written', async () => {
    await writeFile(join(folder, 'ab'), 'no folder')
    await expect(files.write('ab/cdef', Buffer.from('Kyrie'))).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
  })

  it('lists every file, including those of interrupted writes', async () => {
    await files.write('ab/cdef', Buffer.from('Kyrie'))
    await mkdir(join(folder, '01'))
    await writeFile(join(folder, '01', '2345.tmp'), 'Ky')
    const names: string[] = []
    for await (const { name } of files.list()) names.push(name)
    expect(names.sort()).toEqual(['01/2345.tmp', 'ab/cdef'])
  })

  it('removes a file and ignores a missing one', async () => {
    await files.write('ab/cdef', Buffer.from('Kyrie'))
    await files.remove('ab/cdef')
    await files.remove('ab/cdef')
    expect(await readdir(join(folder, 'ab'))).toEqual([])
  })
})
