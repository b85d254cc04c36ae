import { useQuery } from '@tanstack/react-query'
import type { StorageUse } from '../../../../src/contract/account.ts'
import { useTexts } from '../../app/texts.ts'
import { sizeIn } from '../../ui/byte-size.ts'
import { QueryContent } from '../../ui/query-content.tsx'
import { storageQuery } from './queries.ts'

/** The storage that the account uses. An administrator also sees that of the organization. */
export function StorageSection() {
  const { text } = useTexts()
  const storage = useQuery(storageQuery)
  return (
    <section aria-labelledby="storage">
      <h2 id="storage">{text('storage.title')}</h2>
      <QueryContent query={storage}>
        {({ account, organization }) => (
          <>
            <Use of="account" {...account} />
            {organization && <Use of="organization" {...organization} />}
          </>
        )}
      </QueryContent>
    </section>
  )
}

function Use({ of, used, allowed }: StorageUse & { of: 'account' | 'organization' }) {
  const { text, language } = useTexts()
  return (
    <p>
      {allowed === null
        ? text(`storage.${of}Unlimited`, { used: sizeIn(language, used) })
        : text(`storage.${of}`, { used: sizeIn(language, used), allowed: sizeIn(language, allowed) })}
    </p>
  )
}
