import Type from 'typebox'
import { EduLibrary } from '../../../contract/edu-resources.ts'
import { operation } from '../../../operation.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { checkRole } from './policy.ts'
import { presentLibraries } from './present.ts'

export const listEduLibraries = operation({
  id: 'listEduLibraries',
  tag: 'EduResources',
  summary: 'List the libraries',
  description:
    'Lists the caller’s own library, the library of the organization, and the library that comes ' +
    'with Partita, which is read-only.',
  scopes: ['edu.resources', 'edu.resources.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  checkRole,
  responses: { 200: Type.Array(EduLibrary) },
  async handle({ ctx, actor }) {
    const organization = await findOrganization(ctx.db.read, checkStaff(actor).organization)
    return presentLibraries(organization?.name ?? '')
  },
})
