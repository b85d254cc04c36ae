import { describeClassTransition } from '../../../../test/support/class-states.ts'

describeClassTransition('activateClass', 'activate', (person, id) => person.post(`/classes/${id}/activate`))
