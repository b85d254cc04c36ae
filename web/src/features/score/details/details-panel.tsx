import './details-panel.css'
import { type ReactNode, useState } from 'react'
import type { ScoreDetails } from '../../../../../src/contract/scores.ts'
import { useTexts } from '../../../app/texts.ts'
import { clockTime } from '../../../score/player/measure-numbers.ts'
import { Button } from '../../../ui/buttons.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Day } from '../../../ui/moment.tsx'
import { DetailsForm } from './details-form.tsx'
import { licenseName } from './licenses.ts'

interface Props {
  score: ScoreDetails
  sharingKey: string | undefined
}

/** Everything that is known about a score. Whoever may write the score can change it here. */
export default function DetailsPanel({ score, sharingKey }: Props) {
  const { text } = useTexts()
  const [state, setState] = useState<'shown' | 'edited' | 'left'>('shown')
  if (state === 'edited')
    return <DetailsForm score={score} sharingKey={sharingKey} onClose={() => setState('left')} />
  return (
    <div className="details-panel">
      {score.rights?.aclWrite && (
        // The button takes the focus back from the form.
        <Button isSecondary autoFocus={state === 'left'} onPress={() => setState('edited')}>
          <Icon name="pencil" />
          {text('comments.edit')}
        </Button>
      )}
      {score.description && <p className="details-description">{score.description}</p>}
      <FactsOf score={score} />
    </div>
  )
}

function FactsOf({ score }: Pick<Props, 'score'>) {
  const { text } = useTexts()
  const { license, creationType, durationTime, modificationDate, publicationDate } = score
  const facts: readonly [name: string, value: ReactNode][] = [
    [text('library.titleOf'), score.title],
    [text('details.subtitle'), score.subtitle],
    [text('scorePage.composer'), score.composer],
    [text('scorePage.arranger'), score.arranger],
    [text('scorePage.lyricist'), score.lyricist],
    [text('scorePage.instruments'), score.instrumentsNames.join(', ')],
    [text('scorePage.measures'), score.numberMeasures],
    [text('details.duration'), durationTime && clockTime(durationTime)],
    [text('details.tags'), score.tags?.join(', ')],
    [text('details.creationType'), creationType && text(`details.creationType.${creationType}`)],
    [text('details.license'), license && licenseName(license, text)],
    [text('details.licenseText'), score.licenseText],
    [text('scorePage.created'), <Day key="created" of={score.creationDate} />],
    [text('details.changed'), modificationDate && <Day of={modificationDate} />],
    [text('details.published'), publicationDate && <Day of={publicationDate} />],
    [text('details.views'), <Count key="views" of={score.views} />],
    [text('details.plays'), <Count key="plays" of={score.plays} />],
    [text('details.likes'), <Count key="likes" of={score.likes} />],
  ]
  return <Facts facts={facts.filter(([, value]) => value)} />
}

function Count({ of: { total = 0, monthly = 0 } = {} }: { of: ScoreDetails['views'] }) {
  const { text } = useTexts()
  return total === 0 ? '0' : text('details.recent', { total, monthly })
}
