import './work-score.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { call, download } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { rememberPractised } from '../../ui/practised.ts'
import type { Player } from '../../score/player/player.ts'
import { toBase64 } from '../../ui/base64.ts'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { loadedWhenIdle } from '../../ui/loaded-when-idle.ts'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toasts.tsx'

const ScoreView = loadedWhenIdle(() => import('../../score/score-view.tsx'))
const RecorderPanel = loadedWhenIdle(async () => {
  const { loadRecorder } = await import('../../score/recorder/load-recorder.ts')
  return loadRecorder()
})

interface Props {
  score: string
  title: string
  /** Whether a new revision can be uploaded. */
  isWritable: boolean
  /** Whether the student is to play it, and can record that now. */
  isRecorded: boolean
}

/** A score of the work with its player. A student downloads it, writes in it with a program, and uploads it again. */
export function WorkScore({ score, title, isWritable, isRecorded }: Props) {
  const texts = useTexts()
  const { text } = texts
  const me = useMe()
  const { path } = useRouter()
  const toast = useToast()
  const queries = useQueryClient()
  // The player belongs to a revision, so a new revision gets a new view.
  const [uploads, setUploads] = useState(0)
  const [player, setPlayer] = useState<Player>()
  const { mutate, isPending, error } = useMutation({
    async mutationFn(file: File) {
      await call('createScoreRevision', {
        params: { score },
        body: { data: await toBase64(file), dataEncoding: 'base64' },
      })
    },
    async onSuccess(_nothing, file) {
      queries.removeQueries({ queryKey: ['scores', score] })
      setUploads((count) => count + 1)
      toast({ message: text('work.uploaded', { file: file.name }) })
    },
  })
  return (
    <section className="work-score" aria-label={title}>
      <div className="work-score-head">
        <h2>{title}</h2>
        <div className="work-score-buttons">
          {isWritable && (
            <ButtonLink
              href={`${pathTo('/scores/{score}/edit', { score })}?${new URLSearchParams({ work: path })}`}
            >
              {text('editor.write')}
            </ButtonLink>
          )}
          {isWritable && (
            <FileTrigger onSelect={(files) => files?.[0] && mutate(files[0])}>
              <Button isSecondary isPending={isPending}>
                {text('work.upload')}
              </Button>
            </FileTrigger>
          )}
          <Button
            isSecondary
            onPress={() =>
              void download('getScoreRevisionData', { params: { score, revision: 'last', format: 'mxl' } })
            }
          >
            {text('exports.title')}
          </Button>
          <ButtonLink isSecondary href={pathTo('/scores/{score}', { score })}>
            {text('work.openScore')}
          </ButtonLink>
        </div>
      </div>
      {isWritable && <p className="hint">{text('work.uploadHint')}</p>}
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <Suspense>{isRecorded && <RecorderPanel score={score} player={player} />}</Suspense>
      <Suspense>
        <ScoreView
          key={uploads}
          source={{ score, revision: 'last', sharingKey: undefined }}
          title={title}
          artist={me.username}
          onPlayer={setPlayer}
          onHeard={() => rememberPractised(me.id, score)}
        />
      </Suspense>
    </section>
  )
}
