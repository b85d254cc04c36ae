import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, download } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { calendarFeedQuery } from './queries.ts'

/** The due dates for calendar programs: an address that they follow, and a file that they import once. */
export function DueDatesSection() {
  const { text } = useTexts()
  const queries = useQueryClient()
  const feed = useQuery(calendarFeedQuery)
  const { queryKey } = calendarFeedQuery

  const renew = async () => void queries.setQueryData(queryKey, await call('renewCalendarFeed'))
  async function remove() {
    await call('removeCalendarFeed')
    queries.setQueryData(queryKey, { address: null })
  }

  return (
    <section aria-labelledby="due-dates">
      <h2 id="due-dates">{text('dueDates.title')}</h2>
      <p>{text('dueDates.follow')}</p>
      <QueryContent query={feed}>
        {({ address }) =>
          address === null ? (
            <p>
              <Button isSecondary onPress={() => void renew()}>
                {text('dueDates.create')}
              </Button>
            </p>
          ) : (
            <>
              <p>{text('dueDates.secret')}</p>
              <Copyable label={text('dueDates.address')}>{address}</Copyable>
              <p className="buttons">
                <Confirmation
                  action={text('dueDates.renew')}
                  label={text('dueDates.renew')}
                  consequence={text('dueDates.renewConsequence')}
                  onConfirm={() => void renew()}
                />
                <Confirmation
                  action={text('dueDates.remove')}
                  label={text('dueDates.remove')}
                  consequence={text('dueDates.removeConsequence')}
                  onConfirm={() => void remove()}
                />
              </p>
            </>
          )
        }
      </QueryContent>
      <p>{text('dueDates.what')}</p>
      <Button isSecondary onPress={() => void download('exportDueDates')}>
        {text('dueDates.file')}
      </Button>
    </section>
  )
}
