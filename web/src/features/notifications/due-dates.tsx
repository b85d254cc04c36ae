import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call, download } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { calendarFeedQuery } from './queries.ts'

/** The due dates for calendar programs: an address that they follow, and a file that they import once. */
export function DueDatesSection() {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const feed = useQuery(calendarFeedQuery)
  const { queryKey } = calendarFeedQuery
  const heading = useRef<HTMLHeadingElement>(null)
  const { mutate, error } = useMutation({
    async mutationFn(change: 'renew' | 'remove') {
      if (change === 'renew') return call('renewCalendarFeed')
      await call('removeCalendarFeed')
      return { address: null }
    },
    onSuccess(changed) {
      queries.setQueryData(queryKey, changed)
      // The button that had the focus may be gone.
      heading.current?.focus()
    },
  })

  return (
    <section aria-labelledby="due-dates">
      <h2 id="due-dates" ref={heading} tabIndex={-1}>
        {text('dueDates.title')}
      </h2>
      <p>{text('dueDates.follow')}</p>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <QueryContent query={feed}>
        {({ address }) =>
          address === null ? (
            <p>
              <Button isSecondary onPress={() => mutate('renew')}>
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
                  onConfirm={() => mutate('renew')}
                />
                <Confirmation
                  action={text('dueDates.remove')}
                  label={text('dueDates.remove')}
                  consequence={text('dueDates.removeConsequence')}
                  onConfirm={() => mutate('remove')}
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
