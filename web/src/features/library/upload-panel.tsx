import './upload-panel.css'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { Refusal } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { clearUploads, FailedImport, isPending, retry, type Upload, useUploads } from './uploads.ts'

/** The files on their way to the server, with what happened to each of them. */
export function UploadPanel() {
  const { text } = useTexts()
  const queries = useQueryClient()
  const uploads = useUploads()
  if (uploads.length === 0) return null
  const ended = uploads.filter((one) => !isPending(one))
  const failed = uploads.filter(({ state }) => state === 'failed')
  const repeatable = failed.filter(({ error }) => canSucceed(error))
  const isBusy = ended.length < uploads.length
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
        {isBusy && <progress aria-labelledby="uploads" max={uploads.length} value={ended.length} />}
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
  const { file, state, score, warnings = [], error } = upload
  return (
    <li className={state}>
      {score ? (
        <Link href={pathTo('/scores/{score}', { score: score.id })}>{score.title}</Link>
      ) : (
        <span>{file.name}</span>
      )}
      <p className="state">
        <span>{text(`upload.state.${state}`)}</span>
        {state === 'failed' && canSucceed(error) && (
          <Button isSecondary onPress={onRetry} aria-label={text('upload.retryNamed', { file: file.name })}>
            {text('app.retry')}
          </Button>
        )}
      </p>
      {state === 'failed' && <Reason error={error} />}
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

/** Why an upload failed. About a file that is no score, the server says the place and the problem, in English. */
function Reason({ error }: { error: unknown }) {
  const texts = useTexts()
  const { text } = texts
  const isNoScore =
    error instanceof FailedImport ||
    (error instanceof Refusal && (error.status === 400 || error.status === 415))
  const detail =
    error instanceof FailedImport ? error.message : error instanceof Refusal ? error.detail : undefined
  const reason = isNoScore
    ? text('upload.noScore')
    : error instanceof Refusal && error.status === 413
      ? text('upload.tooLarge')
      : error instanceof DOMException
        ? text('upload.unreadable')
        : errorText(texts, error)
  return (
    <>
      <p className="state">{reason}</p>
      {isNoScore && detail && (
        <details>
          <summary>{text('upload.details')}</summary>
          <p lang="en">{detail}</p>
        </details>
      )}
    </>
  )
}
