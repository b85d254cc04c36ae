import { describeEvent } from '../../../../test/support/class-states.ts'

describeEvent('archiveClass', 'archive', (person, id) => person.post(`/classes/${id}/archive`))
