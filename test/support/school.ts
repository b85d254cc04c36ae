import type { Person, TestApp } from './app.ts'

/** Two schools and someone of neither: who is who in the tests. */
export interface School {
  /** The organization of all but Abel and Otto. */
  readonly id: string
  /** Its administrator. */
  readonly ada: Person
  /** Its teachers: two of one class, and one of another. */
  readonly tess: Person
  readonly theo: Person
  readonly tara: Person
  /** Two of its students. */
  readonly sam: Person
  readonly sol: Person
  /** The administrator of another school. */
  readonly abel: Person
  /** Someone with an individual account. */
  readonly otto: Person
}

/** @param end what all usernames end with, where there is more than one of these schools */
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
