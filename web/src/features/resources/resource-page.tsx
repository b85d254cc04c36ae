import './resources.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { EduResource } from '../../../../src/contract/edu-resources.ts'
import { Refusal } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { ExercisePreview } from '../../teaching/exercise-answers.tsx'
import { resourceQuery } from '../../teaching/resources.ts'
import { Task } from '../../teaching/task.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { SubjectsAndGrades } from './filter.tsx'
import { ResourceActions } from './resource-actions.tsx'
import { assignmentOf } from './resource-cards.tsx'
import { Crumbs, MissingResource, StaffOnly } from './staff-page.tsx'

/** An assignment of a library: what it asks for, its scores, and the way into a class. */
export const ResourcePage = ({ resource }: AddressParameters<'/library/resource/{resource}'>) => (
  <StaffOnly>
    <OneResource key={resource} id={resource} />
  </StaffOnly>
)

function OneResource({ id }: { id: string }) {
  const { text } = useTexts()
  const resource = useQuery(resourceQuery(id))
  if (resource.error instanceof Refusal && resource.error.status === 404) return <MissingResource />
  return (
    <Page title={resource.data?.title ?? text('resources.one')} className="resource-page">
      {(heading) => (
        <>
          <Crumbs of={id} />
          {heading}
          <QueryContent query={resource}>{(loaded) => <Content resource={loaded} />}</QueryContent>
        </>
      )}
    </Page>
  )
}

function Content({ resource }: { resource: EduResource }) {
  const { text } = useTexts()
  const assignment = assignmentOf(resource)
  const scores = assignment?.attachments.filter(({ score }) => score !== undefined) ?? []
  return (
    <>
      <p className="resource-facts">
        <SubjectsAndGrades of={resource} />
      </p>
      {resource.sharingDescription && <p className="resource-description">{resource.sharingDescription}</p>}
      <div className="buttons">
        <ResourceActions resource={resource} />
      </div>
      {assignment && (
        <div className="resource-parts">
          <div>
            <Task assignment={assignment} attachments={assignment.attachments} />
            {assignment.exercises && <ExercisePreview exercises={assignment.exercises} />}
          </div>
          {scores.length > 0 && (
            <aside aria-label={text('nav.scores')}>
              {scores.map(({ score = '', title = '' }) => (
                <Link key={score} aria-label={title} href={pathTo('/scores/{score}', { score })}>
                  <Thumbnail score={score} changedAt={resource.updateDate ?? ''} />
                </Link>
              ))}
            </aside>
          )}
        </div>
      )}
    </>
  )
}
