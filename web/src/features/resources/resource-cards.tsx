import './resources.css'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { EduResource } from '../../../../src/contract/edu-resources.ts'
import { useTexts } from '../../app/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { SubjectsAndGrades } from './filter.tsx'
import { placePath } from './staff-page.tsx'

/** Returns the assignment of a resource; undefined for a folder. */
export function assignmentOf({ type, resource }: EduResource) {
  return type === 'assignment' && resource && !('resourcesCount' in resource) ? resource : undefined
}

/** Returns the number of resources directly in a folder. */
const countIn = ({ resource }: EduResource): number =>
  resource && 'resourcesCount' in resource ? resource.resourcesCount : 0

export function ResourceCards({ resources }: { resources: readonly EduResource[] }) {
  return (
    <ul className="resource-cards">
      {resources.map((resource) => (
        <li key={resource.id}>
          {resource.type === 'folder' ? (
            <FolderCard folder={resource} />
          ) : (
            <AssignmentCard resource={resource} />
          )}
        </li>
      ))}
    </ul>
  )
}

function FolderCard({ folder }: { folder: EduResource }) {
  const { text } = useTexts()
  return (
    <Link className="resource-card folder" href={placePath(folder.id)}>
      <Icon name="folder" />
      <span className="resource-title">{folder.title}</span>
      <span className="resource-facts">{text('resources.count', { number: countIn(folder) })}</span>
    </Link>
  )
}

function AssignmentCard({ resource }: { resource: EduResource }) {
  const { text } = useTexts()
  const { id, title, updateDate = '' } = resource
  const assignment = assignmentOf(resource)
  const score = assignment?.attachments.find((attachment) => attachment.score !== undefined)?.score
  return (
    <Link className="resource-card" href={pathTo('/library/resource/{resource}', { resource: id })}>
      {score !== undefined && <Picture score={score} changedAt={updateDate} />}
      <span className="resource-title">{title}</span>
      <span className="resource-facts">
        {assignment && <span>{text(`work.type.${assignment.type}`)}</span>}
        <SubjectsAndGrades of={resource} />
      </span>
    </Link>
  )
}

/** A picture of the score, which is requested when the card comes near the window. */
function Picture(props: { score: string; changedAt: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: '300px',
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <span ref={place}>
      <Thumbnail {...props} isWanted={isSeen} />
    </span>
  )
}
