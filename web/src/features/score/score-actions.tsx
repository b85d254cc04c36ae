import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { call } from '../../app/client.ts'
import { useViewer } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import type { Variant } from '../../score/reader-view.ts'
import { Button } from '../../ui/buttons.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Icon } from '../../ui/icon.tsx'
import { loadedWhenIdle } from '../../ui/loaded-when-idle.ts'
import { scoreQuery } from '../../score/score-query.ts'

const Downloads = loadedWhenIdle(() => import('./downloads.tsx'))
const Sharing = loadedWhenIdle(() => import('./share/sharing.tsx'))

export interface ScoreActionProps {
  score: ScoreDetails
  sharingKey: string | undefined
  /** The parts and pitches that the reader has chosen, which the files have too. */
  variant: Variant
}

interface Props extends ScoreActionProps {
  children: ReactNode
  /** Actions that a phone shows on request. */
  rare: ReactNode
}

/** What a reader can do with the score as a whole. */
export function ScoreActions({ children, rare, ...props }: Props) {
  const { score, sharingKey } = props
  const { text } = useTexts()
  const viewer = useViewer()
  const [isDownloading, setDownloading] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  const rareId = useId()
  return (
    <div className="score-actions">
      {viewer && <LikeButton score={score} sharingKey={sharingKey} />}
      <Button isSecondary onPress={() => setDownloading(true)}>
        <Icon name="download" />
        {text('exports.title')}
      </Button>
      {children}
      <Button
        className="second show-rare"
        aria-expanded={showsAll}
        aria-controls={rareId}
        onPress={() => setShowsAll(!showsAll)}
      >
        <Icon name="more" />
        {text('scorePage.more')}
      </Button>
      <div id={rareId} className="rare" data-shown={showsAll || undefined}>
        {score.rights?.aclAdmin && (
          <Button isSecondary onPress={() => setSharing(true)}>
            <Icon name="share" />
            {text('sharing.title')}
          </Button>
        )}
        {rare}
      </div>
      <DialogSheet title={text('sharing.title')} isOpen={isSharing} onOpenChange={setSharing}>
        {(close) => (
          <Suspense>
            <Sharing score={score} sharingKey={sharingKey} close={close} />
          </Suspense>
        )}
      </DialogSheet>
      <DialogSheet title={text('exports.title')} isOpen={isDownloading} onOpenChange={setDownloading}>
        {(close) => (
          <Suspense>
            <Downloads {...props} close={close} />
          </Suspense>
        )}
      </DialogSheet>
    </div>
  )
}

function LikeButton({ score: { id, me, likes }, sharingKey }: Omit<ScoreActionProps, 'variant'>) {
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
