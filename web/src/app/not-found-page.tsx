import { pathTo } from '../../../src/contract/app-pages.ts'
import { ButtonLink } from '../ui/buttons.tsx'
import { Page } from '../ui/page.tsx'
import { useTexts } from './texts.ts'

export function NotFoundPage() {
  const { text } = useTexts()
  return (
    <Page title={text('notFound.title')}>
      <p>{text('notFound.what')}</p>
      <p>
        <ButtonLink href={pathTo('/')}>{text('notFound.back')}</ButtonLink>
      </p>
    </Page>
  )
}
