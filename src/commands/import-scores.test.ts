import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../test/support/app.ts'
import { runCommand } from '../../test/support/program.ts'
import { musicXml } from '../../test/support/scores.ts'
import { incompressibleXml } from '../../test/support/stored-bytes.ts'

describeApp('partita import scores', (app) => {
  const faulty = musicXml({ title: 'Faulty' }).replace('<measure', 'stray\n<measure')
  const faultyLine = faulty.slice(0, faulty.indexOf('<measure')).split('\n').length
  const fault = '<part> has the text "stray" beside elements. The text was left out.'
  let nora: Person
  let folder: string
  let environment: NodeJS.ProcessEnv

  beforeAll(async () => {
    nora = await app.person('nora', { organization: await app.organization('School'), role: 'teacher' })
    folder = await mkdtemp(join(tmpdir(), 'partita-scores-'))
    const { dataDir, databaseUrl = '' } = app.ctx.config
    environment = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
    await mkdir(join(folder, 'choir/older'), { recursive: true })
    await writeFile(join(folder, 'choir/faulty.musicxml'), faulty)
    await writeFile(join(folder, 'choir/older/Untitled song.xml'), musicXml({ title: '' }))
    await writeFile(join(folder, 'choir/older/.hidden'), 'Not a score.')
    await symlink(folder, join(folder, 'choir/older/circle'))
    await writeFile(join(folder, 'notes.txt'), 'Not a score.')
    await writeFile(join(folder, 'large.mid'), '')
    await truncate(join(folder, 'large.mid'), 10 * 1024 * 1024 + 1)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const at = (name: string) => join(folder, name)
  const importScores = (...words: string[]) => runCommand(['import', 'scores', ...words], environment)
  const titles = async () =>
    (await nora.get('/collections/allScores/scores')).body.map(({ title }: { title: string }) => title)

  it('imports files and folders, reports the repairs, and goes on after a file that it refuses', async () => {
    const { id: collection } = (await nora.post('/collections', { title: 'Choir' })).body
    const paths = [at('notes.txt'), at('choir'), at('missing.mxl'), at('large.mid')]
    const options = [
      '--user',
      'nora',
      '--collection',
      collection,
      '--privacy',
      'organizationPublic',
      '--json',
    ]
    const { code, stdout, stderr } = await importScores(...paths, ...options)
    expect([code, stderr]).toEqual([1, 'partita: 4 of 6 files could not be imported.\n'])
    const report = JSON.parse(stdout)
    const id = expect.stringMatching(/^[0-9a-f]{24}$/)
    expect(report).toEqual({
      scores: [
        {
          file: at('choir/faulty.musicxml'),
          id,
          title: 'Faulty',
          warnings: [{ line: faultyLine, message: fault }],
        },
        { file: at('choir/older/Untitled song.xml'), id, title: 'Untitled song', warnings: [] },
      ],
      refused: [
        {
          file: at('notes.txt'),
          code: 'UNKNOWN_FORMAT',
          message: expect.stringContaining('format'),
        },
        { file: at('choir/older/circle'), code: 'UNKNOWN_FORMAT', message: 'It is not a regular file.' },
        { file: at('missing.mxl'), code: 'NOT_FOUND', message: 'There is no such file.' },
        {
          file: at('large.mid'),
          code: 'PAYLOAD_TOO_LARGE',
          message: 'The file has 10485761 bytes; the maximum is 10485760.',
        },
      ],
    })
    const score = (await nora.get(`/scores/${report.scores[0].id}`)).body
    expect(score).toMatchObject({
      title: 'Faulty',
      user: { id: nora.id },
      privacy: 'organizationPublic',
      collections: [collection],
    })
    const revision = (await nora.get(`/scores/${score.id}/revisions/last`)).body
    expect(revision.importWarnings).toEqual(report.scores[0].warnings)
    await nora.delete(`/scores/${score.id}`)
    await nora.delete(`/scores/${report.scores[1].id}`)
  })

  it('prints one line a file without control characters, and refuses what the storage quota has no room for', async () => {
    await writeFile(at('\u001b[31mred.musicxml'), musicXml({ title: 'Red \u009b31m' }))
    await writeFile(at('noise.xml'), incompressibleXml(300_000))
    await runCommand(['user', 'update', 'nora', '--max-storage', '100KiB'], environment)
    const paths = [at('noise.xml'), at('choir/faulty.musicxml'), at('\u001b[31mred.musicxml')]
    const { code, stdout } = await importScores(...paths, '--user', nora.id)
    expect(code).toBe(1)
    expect(
      stdout
        .replaceAll(/\([0-9a-f]{24}\)/g, '(id)')
        .replaceAll(`${folder}/`, '')
        .split('\n'),
    ).toEqual([
      'choir/faulty.musicxml: created “Faulty” (id)',
      `  line ${faultyLine}: ${fault}`,
      expect.stringMatching(/^ \[31mred\.musicxml: created “Red .*31m” \(id\)$/),
      expect.stringMatching(/^noise\.xml: refused, ACCOUNT_STORAGE_EXHAUSTED: /),
      'Created 2 scores.',
      '',
    ])
    expect(await titles()).toHaveLength(2)
  })

  it('changes nothing if no file could be imported with these options', async () => {
    const before = await titles()
    const outcome = async (...options: string[]) => {
      const { code, stdout, stderr } = await importScores(at('choir'), ...options)
      expect([code, stdout]).toEqual([1, ''])
      return stderr
    }
    expect(await outcome('--user', 'missing')).toBe('partita: There is no such user.\n')
    expect(await outcome('--user', 'nora', '--collection', '0123456789abcdef01234567')).toBe(
      'partita: There is no such collection.\n',
    )
    expect(await outcome('--user', 'nora', '--privacy', 'public')).toContain('public')
    expect(await outcome('--user', 'nora', '--privacy', 'secret')).toContain('organizationPublic')
    expect(await titles()).toEqual(before)
  })
})
