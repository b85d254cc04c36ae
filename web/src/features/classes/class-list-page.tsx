import './class-list-page.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import { useMe } from '../../app/queries.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { classesQuery } from '../../teaching/queries.ts'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'

/** The classes of the user: those that run, those that are not open yet, and on demand the archived ones. */
export function ClassListPage() {
  const { text } = useTexts()
  const { organizationRole } = useMe()
  if (organizationRole === null) {
    return (
      <Page title={text('classes.title')}>
        <p>{text('classes.noSchool')}</p>
      </Page>
    )
  }
  return <Classes isTeacher={organizationRole !== 'user'} />
}

function Classes({ isTeacher }: { isTeacher: boolean }) {
  const { text } = useTexts()
  const { search, setSearch } = useRouter()
  const showsArchived = search.get('archived') !== null
  const active = useQuery(classesQuery('active'))
  // Students do not see classes that are not open yet.
  const inactive = useQuery({ ...classesQuery('inactive'), enabled: isTeacher })
  const archived = useQuery({ ...classesQuery('archived'), enabled: showsArchived })
  return (
    <Page title={text('classes.title')} className="class-list">
      {(heading) => (
        <>
          <div className="class-list-head">
            {heading}
            <div className="class-list-actions">
              <ButtonLink isSecondary={isTeacher} href={pathTo('/join')}>
                {text('join.title')}
              </ButtonLink>
              {isTeacher && <ButtonLink href={pathTo('/classes/new')}>{text('classes.new')}</ButtonLink>}
            </div>
          </div>
          <QueryContent query={active}>
            {(classes) =>
              classes.length === 0 ? (
                <Empty icon="classes" title={text('classes.none')}>
                  <p>{text(isTeacher ? 'classes.noneTeacher' : 'classes.noneStudent')}</p>
                </Empty>
              ) : (
                <ClassCards classes={classes} />
              )
            }
          </QueryContent>
          {inactive.data && inactive.data.length > 0 && (
            <section aria-labelledby="inactive">
              <h2 id="inactive">{text('classes.inactive')}</h2>
              <ClassCards classes={inactive.data} />
            </section>
          )}
          {showsArchived ? (
            <section aria-labelledby="archived">
              <h2 id="archived">{text('classes.archived')}</h2>
              <QueryContent query={archived}>
                {(classes) =>
                  classes.length === 0 ? (
                    <p>{text('classes.noneArchived')}</p>
                  ) : (
                    <ClassCards classes={classes} />
                  )
                }
              </QueryContent>
            </section>
          ) : (
            <Button isSecondary onPress={() => setSearch({ archived: '1' })}>
              {text('classes.showArchived')}
            </Button>
          )}
        </>
      )}
    </Page>
  )
}

function ClassCards({ classes }: { classes: readonly ClassDetails[] }) {
  const { text } = useTexts()
  return (
    <ul className="class-cards">
      {classes.map(({ id, name, section, theme, studentsGroup, assignmentsCount = 0 }) => (
        <li key={id}>
          <Link className="class-card" data-theme={theme} href={pathTo('/classes/{class}', { class: id })}>
            <span className="class-name">{name}</span>
            {section && <span>{section}</span>}
            <span className="class-counts">
              {text('classes.counts', {
                students: studentsGroup?.usersCount ?? 0,
                assignments: assignmentsCount,
              })}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
