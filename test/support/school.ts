import type { Person, TestApp } from './app.ts'

/** The users of the tests: two schools, and a user without an organization. */
export interface School {
  /** The organization of all users except Abel and Otto. */
  readonly id: string
  /** The administrator of the organization. */
  readonly ada: Person
  /** The teachers of the organization: two of one class, and one of another. */
  readonly tess: Person
  readonly theo: Person
  readonly tara: Person
  /** Two students of the organization. */
  readonly sam: Person
  readonly sol: Person
  /** The administrator of another school. */
  readonly abel: Person
  /** A user with an individual account. */
  readonly otto: Person
}

/**
 * Creates the schools and their users.
 * @param end suffix of all usernames, for tests with more than one of these schools
 */
export async function makeSchool(app: TestApp, end = ''): Promise<School> {
  const [id, otherId] = await Promise.all([app.organization('School'), app.organization('Other school')])
  const [ada, tess, theo, tara, sam, sol, abel, otto] = await Promise.all([
    app.person(`ada${end}`, { organization: id, role: 'admin' }),
    app.person(`tess${end}`, { organization: id, role: 'teacher', firstname: 'Tess', lastname: 'Teacher' }),
    app.person(`theo${end}`, { organization: id, role: 'teacher' }),
    app.person(`tara${end}`, { organization: id, role: 'teacher' }),
    app.person(`sam${end}`, { organization: id }),
    app.person(`sol${end}`, { organization: id }),
    app.person(`abel${end}`, { organization: otherId, role: 'admin' }),
    app.person(`otto${end}`),
  ])
  return { id, ada, tess, theo, tara, sam, sol, abel, otto }
}
