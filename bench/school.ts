import { readConfig } from '../src/config.ts'
import { createContext } from '../src/create-context.ts'
import { allScopes } from '../src/contract/scopes.ts'
import { createPersonalToken } from '../test/support/personal-tokens.ts'
import { insertOrganization, newOrganization } from '../src/features/people/organizations/store.ts'
import { newAccount } from '../src/features/people/users/accounts.ts'
import { insertUser } from '../src/features/people/users/store.ts'
import type { Partita } from './servers.ts'

/** A class in which every student has started an assignment. */
export interface BenchSchool {
  /** The path of the submissions. */
  path: string
  teacher: string
  student: string
}

/**
 * Creates a school with a class while the server runs, and starts the work of each student. Returns the
 * tokens of the members.
 */
export async function makeBenchSchool({ url, storage }: Partita, students: number): Promise<BenchSchool> {
  const [teacher = '', ...tokens] = await makePeople(storage, students)
  async function send(
    token: string,
    method: string,
    path: string,
    body: object,
  ): Promise<Record<string, string>> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const response = await fetch(`${url}/v2${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }
  const schoolClass = await send(teacher, 'POST', '/classes', { name: 'Measured' })
  const properties = { title: 'Measured', state: 'active', dueDate: '2090-01-01T00:00:00.000Z' }
  const assignment = await send(teacher, 'POST', `/classes/${schoolClass.id}/assignments`, properties)
  const path = `/classes/${schoolClass.id}/assignments/${assignment.id}/submissions`
  for (const token of tokens) {
    await send(token, 'POST', `/classes/enroll/${schoolClass.enrollmentCode}`, {})
    await send(token, 'PUT', path, { attachments: [{ type: 'link', url: 'https://example.com/' }] })
  }
  return { path, teacher, student: tokens[0] ?? '' }
}

/** Returns the tokens, the teacher's first. */
async function makePeople(storage: Partita['storage'], students: number): Promise<string[]> {
  const ctx = await createContext(readConfig({ ...storage, logLevel: 'silent' }, {}))
  try {
    const organization = ctx.newId()
    await ctx.transaction((tx) =>
      insertOrganization(tx, newOrganization(organization, 'Measured', ctx.clock.now())),
    )
    const tokens: string[] = []
    for (let number = 0; number <= students; number++) {
      const fields = { username: `measured${number}`, password: 'a long one', organization }
      const role = number === 0 ? ('teacher' as const) : ('user' as const)
      const user = await newAccount(ctx, { ...fields, role })
      await ctx.transaction((tx) => insertUser(tx, user))
      tokens.push(await createPersonalToken(ctx, user.id, 'Measured', allScopes))
    }
    return tokens
  } finally {
    await ctx.close()
  }
}
