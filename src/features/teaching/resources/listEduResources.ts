import Type from 'typebox'
import { EduResource, EduResourceQuery, totalHeaders } from '../../../contract/edu-resources.ts'
import { linkHeader, pageRequest } from '../../../contract/paging.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { composeResources } from './compose.ts'
import { listResources } from './lists.store.ts'
import { findPlace } from './places.ts'
import { checkRole } from './policy.ts'

export const listEduResources = operation({
  id: 'listEduResources',
  tag: 'EduResources',
  summary: 'List the resources in a library or folder',
  description:
    'For `organization`, lists everything in the library, including the contents of its folders. ' +
    'For all other parents, lists what is directly in them. In a folder of another user, the caller ' +
    'sees only resources that are open to the caller. The headers contain the counts of the whole ' +
    'list.',
  scopes: ['edu.resources', 'edu.resources.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  checkRole,
  query: EduResourceQuery,
  responses: { 200: { body: Type.Array(EduResource), headers: { ...linkHeader, ...totalHeaders } } },
  async handle({ ctx, actor, query }) {
    const member = checkStaff(actor)
    const queries = ctx.db.read
    const place = await findPlace(queries, member, query.parent ?? 'root', 'parent')
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
