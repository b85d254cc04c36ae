import { Component, type ReactNode } from 'react'
import { TextsContext } from '../app/texts.ts'
import { Button } from './buttons.tsx'
import { Page } from './page.tsx'

interface Props {
  children: ReactNode
}

/** Shows an error page with a button to try again if the page inside fails. The navigation outside stays usable. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  static override contextType = TextsContext
  declare context: React.ContextType<typeof TextsContext>
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    const texts = this.context
    if (!texts) return null
    return (
      <Page title={texts.text('error.title')}>
        <p>{texts.text('error.page')}</p>
        <Button onPress={() => this.setState({ hasFailed: false })}>{texts.text('app.retry')}</Button>
      </Page>
    )
  }
}
