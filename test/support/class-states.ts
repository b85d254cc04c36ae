import { beforeAll, describe, expect, it } from 'vitest'
import type { Event, State } from '../../src/features/teaching/classes/lifecycle.ts'
import { describeApp, type Person } from './app.ts'
import { newClass, setClassState } from './classes.ts'
import type { Reply } from './client.ts'
import { makeSchool, type School } from './school.ts'

/** The state that each event leads to from each state. Every other combination is refused. */
const lifecycle: Record<Event, Partial<Record<State, State>>> = {
  archive: { active: 'archived', inactive: 'archived', archived: 'archived' },
  unarchive: { archived: 'active' },
  activate: { inactive: 'active' },
}

const states: readonly State[] = ['active', 'inactive', 'archived']

/** Declares the tests of the operation that applies this event to a class. */
export function describeClassTransition(
  operation: string,
  event: Event,
  send: (person: Person, id: string) => Promise<Reply>,
): void {
  describeApp(operation, (app) => {
    let people: School
    beforeAll(async () => {
      people = await makeSchool(app)
    })
    const classIn = (state: State) =>
      newClass(app, people.id, { teachers: [people.tess, people.theo], students: [people.sam], state })
    const stateOf = async ({ id }: { id: string }): Promise<State> =>
      (await people.tess.get(`/classes/${id}`)).body.state

    function testChange(state: State, to: State): void {
      it(`sets the state to ${to} for its teachers and the administrators`, async () => {
        for (const person of [people.tess, people.theo, people.ada]) {
          const schoolClass = await classIn(state)
          const { status, body } = await send(person, schoolClass.id)
          expect([status, body.id, body.state]).toEqual([200, schoolClass.id, to])
          expect(await stateOf(schoolClass)).toBe(to)
        }
      })
    }

    function testRefusal(state: State): void {
      it('returns 409 and changes nothing', async () => {
        const schoolClass = await classIn(state)
        const { status, body } = await send(people.tess, schoolClass.id)
        expect([status, body.code]).toEqual([409, 'CLASS_STATE_CONFLICT'])
        expect(await stateOf(schoolClass)).toBe(state)
      })
    }

    describe.each(states)('for a class that is %s', (state) => {
      const to = lifecycle[event][state]

      if (to) testChange(state, to)
      else testRefusal(state)

      it('refuses its students and users outside the class', async () => {
        const schoolClass = await classIn(state)
        const { sam, tara, abel } = people
        // Students cannot see an inactive class.
        const ofStudent = state === 'inactive' ? 'CLASS_NOT_FOUND' : 'CLASS_ACCESS_DENIED'
        expect((await send(sam, schoolClass.id)).body.code).toBe(ofStudent)
        for (const person of [tara, abel])
          expect((await send(person, schoolClass.id)).body.code).toBe('CLASS_NOT_FOUND')
        expect(await stateOf(schoolClass)).toBe(state)
      })
    })

    it('processes concurrent requests one after another', async () => {
      const { tess, theo, ada } = people
      const schoolClass = await classIn('active')
      const from = states.find((state) => lifecycle[event][state]) as State
      await setClassState(app, schoolClass, from)
      const replies = await Promise.all([tess, theo, ada].map((person) => send(person, schoolClass.id)))
      const to = lifecycle[event][from] as State
      // The first request changes the state. The new state decides the result of the other requests.
      const others = lifecycle[event][to] ? 200 : 409
      expect(replies.map(({ status }) => status).sort()).toEqual([200, others, others])
      expect(await stateOf(schoolClass)).toBe(to)
    })
  })
}
