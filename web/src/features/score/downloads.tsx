import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { download } from '../../app/client.ts'
import { useViewer } from '../../app/queries.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { largePrintStaff } from '../../score/sheet/staff-size.ts'
import { Button } from '../../ui/buttons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import type { ScoreActionProps } from './score-actions.tsx'
import { downloadByTask, FailedExport } from './task-download.ts'

const formats = ['mxl', 'xml', 'midi', 'pdf', 'mp3', 'wav'] as const
type Format = (typeof formats)[number]
/** A PDF with more measures takes the engine longer than a user waits without seeing progress. */
const longScore = 200
const papers = ['a4', 'letter'] as const

/** The files that a score is downloaded as. */
export default function Downloads({
  score: { id, numberMeasures = 0 },
  sharingKey,
  variant,
  close,
}: ScoreActionProps & { close(): void }) {
  const texts = useTexts()
  const { text } = texts
  const viewer = useViewer()
  const options = useRef<HTMLFormElement>(null)
  const waiting = useRef<AbortController>(undefined)
  const [percent, setPercent] = useState<number>()
  // Only accounts have tasks.
  const shownFormats = formats.filter((format) => viewer || format !== 'wav')
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn(format: Format) {
      const chosen = new FormData(options.current ?? undefined)
      const paper = papers.find((one) => one === chosen.get('paper'))
      const isLarge = chosen.get('size') === 'large'
      const setup = {
        ...(format === 'pdf' && paper && { paper }),
        ...(format === 'pdf' && isLarge && { staffSize: largePrintStaff }),
      }
      const isLong = format === 'wav' || format === 'mp3' || (format === 'pdf' && numberMeasures > longScore)
      if (viewer && isLong) {
        const { parts, ...pitches } = variant
        waiting.current = new AbortController()
        setPercent(0)
        return downloadByTask({
          score: id,
          format,
          sharingKey,
          options: { ...setup, ...pitches, ...(parts !== undefined && { parts: parts.split(',') }) },
          signal: waiting.current.signal,
          onPercent: setPercent,
        }).finally(() => setPercent(undefined))
      }
      return download('getScoreRevisionData', {
        params: { score: id, revision: 'last', format },
        query: { ...(sharingKey !== undefined && { sharingKey }), ...variant, ...setup },
      })
    },
  })
  useEffect(() => () => waiting.current?.abort(), [])
  function stopWaiting() {
    waiting.current?.abort()
    reset()
  }
  const problem = error instanceof FailedExport ? text('exports.failed') : error && errorText(texts, error)
  return (
    <>
      <Notice isError>{problem ?? undefined}</Notice>
      {Object.keys(variant).length > 0 && <p>{text('exports.asShown')}</p>}
      <form ref={options}>
        <Select name="paper" label={text('exports.paper')}>
          <option value="">{text('exports.paperOfScore')}</option>
          <option value="a4">A4</option>
          <option value="letter">Letter</option>
        </Select>
        <Select name="size" label={text('exports.size')}>
          <option value="">{text('exports.paperOfScore')}</option>
          <option value="large">{text('exports.large')}</option>
        </Select>
      </form>
      <ul className="exports">
        {shownFormats.map((format) => (
          <li key={format}>
            <Button
              isSecondary
              isDisabled={percent !== undefined && variables !== format}
              isPending={isPending && variables === format}
              onPress={() => mutate(format)}
            >
              {text(`exports.${format}`)}
            </Button>
          </li>
        ))}
      </ul>
      <Notice>{isPending ? text('exports.making') : undefined}</Notice>
      {percent !== undefined && (
        <div className="export-task">
          <progress aria-label={text('exports.making')} max={100} value={percent} />
          <span>{new Intl.NumberFormat(texts.language, { style: 'percent' }).format(percent / 100)}</span>
          <Button isSecondary onPress={stopWaiting}>
            {text('exports.stop')}
          </Button>
        </div>
      )}
      <div className="buttons">
        <Button isSecondary onPress={close}>
          {text('app.close')}
        </Button>
      </div>
    </>
  )
}
