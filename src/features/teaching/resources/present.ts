import type { Assignment } from '../../../contract/assignments.ts'
import type { EduLibrary, EduResource, EduResourceFolder } from '../../../contract/edu-resources.ts'
import type { EduResourcesTable } from '../../../platform/db/school-tables.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { Member } from '../../people/organizations/policy.ts'
import type { FolderContents } from './lists.store.ts'
import { capabilitiesOf, libraryNames } from './policy.ts'
import { gradesOf, subjectsOf } from './sets.ts'

/**
 * Presents a resource.
 * @param inner the assignment, or the contents of the folder
 * @param parent the parent that the actor can see
 */
export function presentResource(
  actor: Member,
  row: EduResourcesTable,
  inner: Assignment | EduResourceFolder,
  parent: string | undefined,
): EduResource {
  return {
    id: row.id,
    creator: row.creator_id ?? undefined,
    type: row.type,
    privacy: row.privacy,
    tags: [],
    parent,
    title: row.title,
    sharingDescription: row.description ?? undefined,
    sharingDescriptionHtml: row.description_html ?? undefined,
    creationDate: dateTime(row.created_at),
    updateDate: dateTime(row.updated_at),
    resource: inner,
    capabilities: capabilitiesOf(actor, row),
    subjects: subjectsOf(row.subjects),
    grades: gradesOf(row.grades),
  }
}

/** Presents a folder, with the subjects and grades of what it holds. */
export function presentFolderResource(
  actor: Member,
  row: EduResourcesTable,
  contents: FolderContents,
  parent: string | undefined,
): EduResource {
  const { subjects, grades } = contents
  const gathered = { ...row, subjects: row.subjects | subjects, grades: row.grades | grades }
  return presentResource(actor, gathered, presentFolder(actor, row, contents), parent)
}

const presentFolder = (
  actor: Member,
  row: EduResourcesTable,
  { count, assignmentTypes }: FolderContents,
): EduResourceFolder => ({
  id: row.id,
  type: 'none',
  title: row.title,
  assignmentsTypes: assignmentTypes,
  resourcesCount: count,
  attachments: [],
  capabilities: {
    canEdit: capabilitiesOf(actor, row).canEdit,
    canPublishInClass: false,
    canArchive: false,
    canUnarchive: false,
  },
})

/**
 * Presents the libraries of the actor.
 * @param organization the name of the actor's organization
 */
export const presentLibraries = (organization: string): EduLibrary[] => [
  { id: libraryNames.myResources, name: 'My resources', type: 'myResources', visibility: 'private' },
  {
    id: libraryNames.organizationResources,
    name: organization,
    type: 'organizationResources',
    visibility: 'organization',
  },
  { id: libraryNames.flatEduContent, name: 'Partita', type: 'flatEduContent', visibility: 'public' },
]
