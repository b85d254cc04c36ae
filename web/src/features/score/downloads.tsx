import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { download } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { largePrintStaff } from '../../score/sheet/staff-size.ts'
import { Button } from '../../ui/buttons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import type { ScoreActionProps } from './score-actions.tsx'

const formats = ['mxl', 'xml', 'midi', 'pdf', 'mp3'] as const
type Format = (typeof formats)[number]
const papers = ['a4', 'letter'] as const

/** The files that a score is downloaded as. */
export default function Downloads({
  score: { id },
  sharingKey,
  variant,
  close,
}: ScoreActionProps & { close(): void }) {
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
