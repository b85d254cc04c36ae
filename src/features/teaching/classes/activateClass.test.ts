import { describeEvent } from '../../../../test/support/class-states.ts'

describeEvent('activateClass', 'activate', (person, id) => person.post(`/classes/${id}/activate`))
