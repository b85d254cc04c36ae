import { describeClassTransition } from '../../../../test/support/class-states.ts'

describeClassTransition('archiveClass', 'archive', (person, id) => person.post(`/classes/${id}/archive`))
