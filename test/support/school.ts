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

export async function makeSchool(app: TestApp): Promise<School> {
  const [id, otherId] = await Promise.all([app.organization('School'), app.organization('Other school')])
  const [ada, tess, theo, tara, sam, sol, abel, otto] = await Promise.all([
    app.person('ada', { organization: id, role: 'admin' }),
    app.person('tess', { organization: id, role: 'teacher', firstname: 'Tess', lastname: 'Teacher' }),
    app.person('theo', { organization: id, role: 'teacher' }),
    app.person('tara', { organization: id, role: 'teacher' }),
    app.person('sam', { organization: id }),
    app.person('sol', { organization: id }),
    app.person('abel', { organization: otherId, role: 'admin' }),
    app.person('otto'),
  ])
  return { id, ada, tess, theo, tara, sam, sol, abel, otto }
}
