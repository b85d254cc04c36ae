import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Kysely, KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { open } from 'yauzl'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { tracesOf } from '../../../../test/support/found-traces.ts'
import { base64, emptyPiano } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import { type DepartingUsers, leaveTraces, text } from '../../../../test/support/traces.ts'
import { connection } from '../../../platform/db/connection.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { findAccount } from '../users/store.ts'
import { exportAccount } from './export.ts'
import { openSink } from './sinks.ts'

/** The tables that docs/data-rights.md excludes from the export. */
async function notExported(): Promise<string[]> {
  const page = await readFile(new URL('../../../../docs/data-rights.md', import.meta.url), 'utf8')
  const section = page.split('\n### What is not in it\n')[1]?.split('\n#')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return rows
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, table = '']) => table))
    .sort()
}

/** Records the names of the tables that queries read. */
const notingTables = (tables: Set<string>): KyselyPlugin => ({
  transformQuery({ node }) {
    JSON.stringify(node, (_key, value) => {
      if (value?.kind === 'TableNode') tables.add(value.table.identifier.name)
      return value
    })
    return node
  },
  transformResult: async ({ result }) => result,
})

describeEachDatabase('the export of an account', (databases) => {
  const app = useApp(databases)
  let users: DepartingUsers
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partita-export-'))
    users = await leaveTraces(app)
  }, 120_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  let count = 0
  async function exportOf(
    { id }: { id: string },
    { name = `${++count}`, allRevisions = false } = {},
  ): Promise<string> {
    const account = await findAccount(app.ctx.db.read, id)
    if (!account) throw new Error('No account')
    const path = join(folder, name)
    await exportAccount(app.ctx, account, { path, allRevisions })
    return path
  }
  const read = (path: string, file: string) => readFile(join(path, file), 'utf8')
  // biome-ignore lint/suspicious/noExplicitAny: tests look into files freely
  const json = async (path: string, file: string): Promise<any> => JSON.parse(await read(path, file))

  it('waits longer for its files than a request does', async () => {
    const { write } = app.ctx.notation
    const patience: unknown[] = []
    const spy = vi.spyOn(app.ctx.notation, 'write').mockImplementation((score, format, waiters) => {
      patience.push(waiters.isPatient?.())
      return write(score, format, waiters)
    })
    await exportOf(users.una, { allRevisions: true })
    spy.mockRestore()
    expect(new Set(patience)).toEqual(new Set([true]))
  })

  describe('to a folder', () => {
    it('contains every list and a README about them, readable only by the owner of the files', async () => {
      const path = await exportOf(users.una)
      const files = (await readdir(path)).filter((file) => file !== 'README.md')
      const readme = await read(path, 'README.md')
      for (const file of files) expect(readme).toContain(`\`${file}`)
      for (const file of files.filter((name) => name.endsWith('.json'))) await json(path, file)
      const { mode } = await stat(join(path, 'account.json'))
      expect(mode & 0o077).toBe(0)
    })

    it('contains no empty list for a user with data in every table', async () => {
      const paths = await Promise.all(Object.values(users).map((user) => exportOf(user)))
      const [first = ''] = paths
      for (const file of (await readdir(first)).filter((name) => name.endsWith('.json'))) {
        const all = await Promise.all(paths.map((path) => read(path, file)))
        expect([file, all.every((text) => text === '[]\n')]).toEqual([file, false])
      }
    })

    it('contains the scores as MusicXML, with revisions and sharing', async () => {
      const { tess } = await tessAndScore()
      const path = await exportOf(tess, { allRevisions: true })
      const [score] = await json(path, 'scores.json')
      expect(score).toMatchObject({
        id: expect.any(String),
        title: 'Tess’s',
        createdAt: expect.stringMatching(/Z$/),
      })
      expect(score.revisions.length).toBeGreaterThan(1)
      expect(score.sharedWith).toContainEqual(
        expect.objectContaining({ username: users.una.username, level: 3 }),
      )
      const bytes = await readFile(join(path, 'scores', `${score.id}.mxl`))
      expect(bytes.subarray(0, 2).toString()).toBe('PK')
      expect(await readdir(join(path, 'scores', score.id))).toHaveLength(score.revisions.length)
    })

    it('contains the pictures of the profile as files', async () => {
      const path = await exportOf(users.ivo)
      expect(await readdir(join(path, 'profile'))).toEqual(['picture.webp'])
      expect(await read(path, 'profile/picture.webp')).toBe(text)
    })

    it('contains the recordings that the server stores as files', async () => {
      const path = await exportOf(users.una)
      const [{ id, trackId }] = await json(path, 'recordings.json')
      expect(await read(path, `recordings/${id}.wav`)).toBe(text)
      expect(await json(path, 'tracks.json')).toContainEqual(expect.objectContaining({ id: trackId }))
    })

    it('contains no secret and no hash of a secret', async () => {
      const path = await exportOf(users.ivo)
      const { read: queries } = app.ctx.db
      const tokens = await queries
        .selectFrom('access_tokens')
        .select('hash')
        .where('user_id', '=', users.ivo.id)
        .execute()
      const { password_hash } = await queries
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', users.ivo.id)
        .executeTakeFirstOrThrow()
      const files = (await readdir(path, { recursive: true })).filter((file) => file.endsWith('.json'))
      const all = (await Promise.all(files.map((file) => read(path, file)))).join('\n')
      for (const secret of [password_hash, users.ivo.token, ...tokens.map(({ hash }) => hash)]) {
        expect(all).not.toContain(secret)
      }
    })

    it('contains the scores with the credits that were edited last', async () => {
      const nina = await app.person('nina')
      const { id } = (await nina.post('/scores', emptyPiano('Before'))).body
      await nina.put(`/scores/${id}`, { title: 'After' })
      const path = await exportOf(nina, { allRevisions: true })
      expect((await json(path, 'scores.json'))[0].revisions).toHaveLength(2)
      const bytes = await readFile(join(path, 'scores', `${id}.mxl`))
      const again = await nina.post('/scores', { data: base64(bytes), dataEncoding: 'base64' })
      expect(again.body.title).toBe('After')
    })

    it('contains no draft of a grade', async () => {
      const [tom, sid] = await Promise.all(
        (['teacher', 'user'] as const).map(async (role) => {
          const organization = await organizationOf(users.una.id)
          return app.person(`${role}.of.drafts`, { organization, role })
        }),
      )
      if (!tom || !sid) throw new Error('Nobody')
      const schoolClass = await newClass(app, await organizationOf(users.una.id), {
        teachers: [tom],
        students: [sid],
      })
      const assignment = await newAssignment(tom, schoolClass, { maxPoints: 10_000, releaseGrades: 'manual' })
      const work = await newSubmission(sid, schoolClass, assignment, { submit: true })
      const at = `${submissionsOf(schoolClass, assignment)}/${work.id}`
      expect((await tom.put(at, { draftGrade: 7771 })).status).toBe(200)
      const path = await exportOf(sid)
      const [submission] = await json(path, 'submissions.json')
      expect(submission.history.length).toBeGreaterThan(0)
      expect(JSON.stringify(submission)).not.toMatch(/7771|draft/i)
    })

    it('refuses a folder that is not empty', async () => {
      const path = await exportOf(users.sia)
      const before = await readdir(path)
      await expect(exportOf(users.sia, { name: path.slice(folder.length + 1) })).rejects.toThrow(
        'is not empty',
      )
      expect(await readdir(path)).toEqual(before)
    })
  })

  it('writes the same files to an archive, which gets its name only when it is complete', async () => {
    const path = await exportOf(users.sia, { name: 'sia.zip' })
    const inFolder = await exportOf(users.sia)
    const names = await namesIn(path)
    const files = await readdir(inFolder, { recursive: true, withFileTypes: true })
    expect(names).toHaveLength(files.filter((file) => file.isFile()).length)
    expect(names).toContain('README.md')
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('refuses to overwrite an archive, even one that was created during the export', async () => {
    const path = join(folder, 'theirs.zip')
    await writeFile(path, 'Theirs')
    const exports = async () => {
      const events = app.ctx.db.read.selectFrom('audit_events').where('action', '=', 'user.exported')
      return (await events.select('id').execute()).length
    }
    const before = await exports()
    await expect(exportOf(users.sia, { name: 'theirs.zip' })).rejects.toThrow('is there already')
    expect(await exports()).toBe(before)
    const later = join(folder, 'later.zip')
    const sink = await openSink(later)
    await writeFile(later, 'Theirs')
    await sink.add('README.md', Readable.from(['Ours']))
    await expect(sink.close()).rejects.toThrow('EEXIST')
    await sink.discard()
    for (const file of [path, later]) expect(await readFile(file, 'utf8')).toBe('Theirs')
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('reads every table with data of the user, except those that docs/data-rights.md lists', async () => {
    const read = new Set<string>()
    const { read: plain } = app.ctx.db
    const recorder = (plain as unknown as Kysely<Tables>).withPlugin(notingTables(read))
    const queries = Object.assign(recorder, { [connection]: plain[connection] })
    for (const { id } of Object.values(users)) {
      const account = await findAccount(app.ctx.db.read, id)
      if (!account) throw new Error('No account')
      const ctx = { ...app.ctx, db: { ...app.ctx.db, read: queries } }
      await exportAccount(ctx, account, { path: join(folder, `noted ${id}`), allRevisions: false })
    }
    const tables = new Set((await tracesOf(app, users)).map((place) => place.split('.')[0] ?? ''))
    expect([...tables].filter((table) => !read.has(table)).sort()).toEqual(await notExported())
  })

  const organizationOf = async (id: string) => (await findAccount(app.ctx.db.read, id))?.organization_id ?? ''
  async function tessAndScore() {
    const tess = await findAccount(app.ctx.db.read, 'tess')
    if (!tess) throw new Error('Nobody is Tess')
    return { tess }
  }
  const namesIn = (path: string) =>
    new Promise<string[]>((resolve, reject) => {
      open(path, (error, zip) => {
        if (error) return reject(error)
        const names: string[] = []
        zip.on('entry', ({ fileName }) => names.push(fileName))
        zip.on('end', () => resolve(names))
        zip.on('error', reject)
      })
    })
})
