import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../app/client.ts'
import { useTexts } from '../../../app/texts.ts'
import { Button } from '../../../ui/buttons.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Composer, type CommentTexts } from './composer.tsx'
import { commentsQuery, contextOf } from './threads.ts'
import { type Comments, measuresBetween } from './use-comments.ts'

/** Writes a comment on the whole score or on some of its measures. */
export function NewComment({ comments }: { comments: Comments }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const { score, sharingKey, place, isWriting, setWriting } = comments
  if (!isWriting)
    return (
      <Button onPress={() => setWriting(true)}>
        <Icon name="plus" />
        {text('comments.new')}
      </Button>
    )
  async function send(texts: CommentTexts) {
    const last = place?.measures.at(-1)
    const context = place && last !== undefined && contextOf(place, comments.quartersOf(last))
    await call('postScoreComment', {
      params: { score: score.id },
      query: sharingKey === undefined ? {} : { sharingKey },
      body: { ...texts, ...(context && { context }) },
    })
    await queries.invalidateQueries(commentsQuery(score.id, sharingKey))
  }
  function close() {
    setWriting(false)
    comments.setPlace(undefined)
  }
  return (
    <Composer
      comments={comments}
      draft={`${score.id}.new`}
      label={text('comments.text')}
      action={text('comments.send')}
      send={send}
      onClose={close}
    >
      <PlaceFields comments={comments} />
    </Composer>
  )
}

/** Chooses measures by their numbers. The pointer can choose them on the pages at the same time. */
function PlaceFields({ comments: { numbers, parts, place, setPlace } }: { comments: Comments }) {
  const { text } = useTexts()
  const [firstPart] = parts
  if (!numbers || !firstPart) return null
  const known = numbers
  const part = place?.part ?? firstPart.uuid
  const from = place ? known.numberOf(place.measures[0]) : undefined
  const to = place ? known.numberOf(place.measures.at(-1)) : undefined
  function choose(first: number, last: number) {
    const [a, b] = [known.uuidOf(first), known.uuidOf(last)]
    setPlace(
      a !== undefined && b !== undefined ? { measures: measuresBetween(known, a, b), part } : undefined,
    )
  }
  const field = (label: string, value: number | undefined, onNumber: (value: number) => void) => (
    <label>
      {label}
      <input
        type="number"
        inputMode="numeric"
        min={1}
        max={known.count}
        value={value ?? ''}
        onChange={({ currentTarget }) => onNumber(currentTarget.valueAsNumber)}
      />
    </label>
  )
  return (
    <fieldset className="comment-place">
      <legend>{text('comments.place')}</legend>
      <p className="hint">{text('comments.placeHint')}</p>
      <div className="comment-measures">
        {field(text('comments.from'), from, (first) => choose(first, Math.max(first, to ?? first)))}
        {field(text('comments.to'), to, (last) => choose(Math.min(from ?? last, last), last))}
      </div>
      {parts.length > 1 && place && (
        <label>
          {text('comments.part')}
          <select
            value={part}
            onChange={({ currentTarget }) => setPlace({ ...place, part: currentTarget.value })}
          >
            {parts.map(({ uuid, name }, index) => (
              <option key={uuid} value={uuid}>
                {name || text('player.part', { number: index + 1 })}
              </option>
            ))}
          </select>
        </label>
      )}
      {place && (
        <Button isSecondary onPress={() => setPlace(undefined)}>
          {text('comments.whole')}
        </Button>
      )}
    </fieldset>
  )
}
