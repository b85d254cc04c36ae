import './upload-panel.css'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../src/contract/app-pages.ts'
import { maxScoreFileBytes } from '../../../src/contract/score-files.ts'
import { Refusal } from '../app/client.ts'
import { errorText, useTexts } from '../app/texts.ts'
import { Button } from './buttons.tsx'
import { sizeIn } from './byte-size.ts'
import { clearUploads, FailedImport, FileTooLarge, isPending, retry } from './uploads.ts'
import { type Upload, uploadList } from './upload-list.ts'

/** The files on their way to the server, with what happened to each of them. */
export default function UploadPanel() {
  const { text } = useTexts()
  const queries = useQueryClient()
  const uploads = uploadList.use()
  const ended = uploads.filter((one) => !isPending(one))
  const failed = uploads.filter(({ state }) => state === 'failed')
  const repeatable = failed.filter(({ error }) => canSucceed(error))
  const isBusy = ended.length < uploads.length
  const sent = uploads.reduce((sum, one) => sum + (isPending(one) ? one.percent / 100 : 1), 0)
  const numbers = { done: ended.length - failed.length, all: uploads.length, failed: failed.length }
  const summary = isBusy
    ? text('upload.progress', numbers)
    : text(failed.length > 0 ? 'upload.endedWithErrors' : 'upload.ended', numbers)
  return (
    <section className="uploads" aria-labelledby="uploads">
      <header>
        <h2 id="uploads">
          <span role="status">{summary}</span>
        </h2>
        {repeatable.length > 1 && !isBusy && (
          <Button isSecondary onPress={() => retry(queries)}>
            {text('upload.retryAll')}
          </Button>
        )}
        {!isBusy && (
          <Button isSecondary onPress={clearUploads} aria-label={text('upload.close')}>
            ×
          </Button>
        )}
        {isBusy && <progress aria-labelledby="uploads" max={uploads.length} value={sent} />}
      </header>
      <ul>
        {uploads.map((one) => (
          <Item key={one.id} upload={one} onRetry={() => retry(queries, one.id)} />
        ))}
      </ul>
    </section>
  )
}

function Item({ upload, onRetry }: { upload: Upload; onRetry(): void }) {
  const { text } = useTexts()
  const { file, state, percent, score, warnings = [], error } = upload
  const isSending = state === 'sending' && percent > 0
  const canRetry = state === 'paused' || (state === 'failed' && canSucceed(error))
  return (
    <li className={state}>
      {score ? (
        <Link href={pathTo('/scores/{score}', { score: score.id })}>{score.title}</Link>
      ) : (
        <span>{file.name}</span>
      )}
      <p className="state">
        <span>{isSending ? text('upload.percent', { percent }) : text(`upload.state.${state}`)}</span>
        {canRetry && (
          <Button isSecondary onPress={onRetry} aria-label={text('upload.retryNamed', { file: file.name })}>
            {text('app.retry')}
          </Button>
        )}
      </p>
      {isSending && <progress aria-label={file.name} max={100} value={percent} />}
      {(state === 'failed' || state === 'paused') && <Reason error={error} isPaused={state === 'paused'} />}
      {warnings.length > 0 && (
        <details>
          <summary>{text('upload.warnings', { number: warnings.length })}</summary>
          {warnings.map(({ line, message }, index) => (
            <p key={index} lang="en">
              {line === null ? '' : `${line}: `}
              {message}
            </p>
          ))}
        </details>
      )}
    </li>
  )
}

/** A file that is no score, and a file that is too large. */
const hopeless: ReadonlySet<number> = new Set([400, 413, 415])

/** Whether the same file can be uploaded later. */
const canSucceed = (error: unknown): boolean => error instanceof Refusal && !hopeless.has(error.status)

/** Why an upload failed or waits. About a file that is no score, the server says the place and the problem, in English. */
function Reason({ error, isPaused }: { error: unknown; isPaused: boolean }) {
  const texts = useTexts()
  const { text } = texts
  const isNoScore =
    error instanceof FailedImport ||
    (error instanceof Refusal && (error.status === 400 || error.status === 415))
  const detail =
    error instanceof FailedImport ? error.message : error instanceof Refusal ? error.detail : undefined
  const isTooLarge = error instanceof FileTooLarge || (error instanceof Refusal && error.status === 413)

  function reason(): string {
    if (isPaused) {
      const isOffline = error instanceof Refusal && error.status === 0
      return text(isOffline ? 'upload.noNetwork' : 'upload.busy')
    }
    if (isNoScore) return text('upload.noScore')
    if (isTooLarge) return text('upload.tooLarge', { size: sizeIn(texts.language, maxScoreFileBytes) })
    return error instanceof DOMException ? text('upload.unreadable') : errorText(texts, error)
  }

  return (
    <>
      <p className="state">{reason()}</p>
      {isNoScore && detail && (
        <details>
          <summary>{text('upload.details')}</summary>
          <p lang="en">{detail}</p>
        </details>
      )}
    </>
  )
}
