import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { oneRoster } from '../../../../test/support/rosters.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

const fileOf = (name: string, lines: readonly string[]) => ({
  name,
  content: Buffer.from(lines.join('\n')).toString('base64'),
})

describeEachDatabase('previewRoster', (databases) => {
  const app = useApp(databases)
  let school: School
  let client: Client

  beforeAll(async () => {
    school = await makeSchool(app)
    client = internalClient(await signedIn(app, school.ada))
  })

  const preview = async (...files: object[]) => client.post('/organization/roster/preview', { files })

  it('is read from the files of OneRoster', async () => {
    const files = Object.entries(oneRoster).map(([name, lines]) => fileOf(name, lines))
    const { body } = await preview(...files)
    expect(body).toMatchObject({ people: { created: 4 }, classes: { created: 1 }, skipped: 2 })
  })

  it('changes nobody above the administrator, and not the own address', async () => {
    const head = await app.person('head', { organization: school.id, role: 'accountAdmin' })
    const table = fileOf('people.csv', [
      'username,email',
      `${head.username},taken@example.com`,
      `${school.ada.username},taken2@example.com`,
    ])
    const { body } = await preview(table)
    expect(
      body.problems.first.map(({ line, column }: { line: number; column: string }) => [line, column]),
    ).toEqual([
      [2, 'username'],
      [3, 'email'],
    ])
  })
})
