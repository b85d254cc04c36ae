import Type from 'typebox'
import { EduResource, EduResourceQuery, totalHeaders } from '../../contract/edu-resources.ts'
import { linkHeader, pageRequest } from '../../contract/paging.ts'
import { Answer, operation } from '../../operation.ts'
import { checkStaff } from '../organizations/policy.ts'
import { composeResources } from './compose.ts'
import { listResources } from './lists.ts'
import { openPlace } from './places.ts'
import { checkRole } from './policy.ts'

export const listEduResources = operation({
  id: 'listEduResources',
  tag: 'EduResources',
  summary: 'List what lies in a library or folder',
  description:
    'Of `organization` everything that lies in the library, in whatever folder; of the others what lies directly there. ' +
    'Of the folder of a colleague you find what is open to you. The headers count the whole list.',
  scopes: ['edu.resources', 'edu.resources.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  checkRole,
  query: EduResourceQuery,
  responses: { 200: { body: Type.Array(EduResource), headers: { ...linkHeader, ...totalHeaders } } },
  async handle({ ctx, actor, query }) {
    const member = checkStaff(actor)
    const queries = ctx.db.read
    const place = await openPlace(queries, member, query.parent ?? 'root', 'parent')
    const isWholeLibrary = place.place === member.organization && !query.withoutSubfoldersResources
    const within = isWholeLibrary ? 'organization' : 'place'
    const page = await listResources(queries, { ...place, within }, query, pageRequest(query, 'creationDate'))
    const resources = await composeResources(queries, member, page.rows, place.openness)
    const headers = {
      'X-Total-Assignments-Count': String(page.totals.assignments),
      'X-Total-Folders-Count': String(page.totals.folders),
    }
    return new Answer(resources, { cursors: page.cursors, headers })
  },
})
