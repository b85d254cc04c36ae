import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { call, download } from '../../app/client.ts'
import { useViewer } from '../../app/queries.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { largePrintStaff } from '../../score/sheet/staff-size.ts'
import type { Variant } from '../../score/reader-view.ts'
import { Button } from '../../ui/buttons.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { scoreQuery } from '../../score/score-query.ts'

interface Props {
  score: ScoreDetails
  sharingKey: string | undefined
  /** The parts and pitches that the reader has chosen, which the files have too. */
  variant: Variant
}

/** What a reader can do with the score as a whole. */
export function ScoreActions({ children, ...props }: Props & { children: ReactNode }) {
  const { score, sharingKey } = props
  const { text } = useTexts()
  const viewer = useViewer()
  const [isDownloading, setDownloading] = useState(false)
  return (
    <div className="score-actions">
      {viewer && <LikeButton score={score} sharingKey={sharingKey} />}
      <Button isSecondary onPress={() => setDownloading(true)}>
        <Icon name="download" />
        {text('exports.title')}
      </Button>
      {children}
      <DialogSheet title={text('exports.title')} isOpen={isDownloading} onOpenChange={setDownloading}>
        {(close) => <Downloads {...props} close={close} />}
      </DialogSheet>
    </div>
  )
}

function LikeButton({ score: { id, me, likes }, sharingKey }: Omit<Props, 'variant'>) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const isLiked = me?.isLiked === true
  const { queryKey } = scoreQuery(id, sharingKey)
  const { mutate } = useMutation({
    async mutationFn(isOn: boolean) {
      const input = { params: { score: id }, query: sharingKey === undefined ? {} : { sharingKey } }
      await (isOn ? call('likeScore', input) : call('unlikeScore', { params: { score: id } }))
    },
    // The heart answers at once. The server corrects it.
    onMutate: (isOn) =>
      queries.setQueryData<ScoreDetails>(
        queryKey,
        (shown) => shown && { ...shown, me: { isInLibrary: false, ...shown.me, isLiked: isOn } },
      ),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <ToggleButton className="second like" isSelected={isLiked} onChange={(isOn) => mutate(isOn)}>
      <Icon name="heart" />
      {text('scorePage.like')}
      {likes?.total ? <span className="count">{likes.total}</span> : null}
    </ToggleButton>
  )
}

const formats = ['mxl', 'xml', 'midi', 'pdf', 'mp3'] as const
type Format = (typeof formats)[number]
const papers = ['a4', 'letter'] as const

function Downloads({ score: { id }, sharingKey, variant, close }: Props & { close(): void }) {
  const texts = useTexts()
  const { text } = texts
  const options = useRef<HTMLFormElement>(null)
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn(format: Format) {
      const chosen = new FormData(options.current ?? undefined)
      const paper = papers.find((one) => one === chosen.get('paper'))
      const isLarge = chosen.get('size') === 'large'
      return download('getScoreRevisionData', {
        params: { score: id, revision: 'last', format },
        query: {
          ...(sharingKey !== undefined && { sharingKey }),
          ...variant,
          ...(format === 'pdf' && paper && { paper }),
          ...(format === 'pdf' && isLarge && { staffSize: largePrintStaff }),
        },
      })
    },
  })
  return (
    <>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
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
        {formats.map((format) => (
          <li key={format}>
            <Button isSecondary isPending={isPending && variables === format} onPress={() => mutate(format)}>
              {text(`exports.${format}`)}
            </Button>
          </li>
        ))}
      </ul>
      <Notice>{isPending ? text('exports.making') : undefined}</Notice>
      <div className="buttons">
        <Button isSecondary onPress={close}>
          {text('app.close')}
        </Button>
      </div>
    </>
  )
}
