import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ScoreDetails } from '../../../../../src/contract/scores.ts'
import { type MeasureNumbers, measureNumbers } from '../../../score/player/measure-numbers.ts'
import type { Panels } from '../../../score/side-panel.tsx'
import type { GoToMeasure } from '../../../score/sheet/go-to-measure.ts'
import { createSheet, type Sheet } from '../../../score/sheet/sheet.ts'
import { musicQuery, type ScoreSource } from '../../../score/source.ts'
import { commentsQuery, type Place, placeOf, type Thread, threadsOf } from './threads.ts'

/** The comments on a score, and what the reader does with them. */
export interface Comments {
  readonly score: ScoreDetails
  readonly sharingKey: string | undefined
  readonly query: ReturnType<typeof useCommentList>
  readonly threads: readonly Thread[]
  readonly sheet: Sheet
  /** Undefined until the music is there. */
  readonly numbers: MeasureNumbers | undefined
  readonly parts: readonly { readonly uuid: string; readonly name: string }[]
  /** The id of the thread that is open. */
  readonly active: string | undefined
  /** Opens a thread, and shows its measures if there are any. */
  open(thread: Thread): void
  /** Whether a new comment is being written. */
  readonly isWriting: boolean
  setWriting(isWriting: boolean): void
  /** The measures of the new comment. Undefined if it is about the whole score. */
  readonly place: Place | undefined
  setPlace(place: Place | undefined): void
  readonly goTo: GoToMeasure | undefined
  /** Receives the measures that the reader points at while a comment is written. */
  readonly onPick: ((from: string, to: string, part: string) => void) | undefined
  /** The length of a measure in quarter notes. */
  quartersOf(measure: string): number
}

const useCommentList = (score: string, sharingKey: string | undefined) =>
  useQuery(commentsQuery(score, sharingKey))

export function useComments(score: ScoreDetails, source: ScoreSource, panels: Panels): Comments {
  const { sharingKey } = source
  const query = useCommentList(score.id, sharingKey)
  // The view of the score loads the music.
  const { data: music } = useQuery({ ...musicQuery(source), enabled: false })
  const numbers = useMemo(() => music && measureNumbers(music.measures), [music])
  const threads = useMemo(() => threadsOf(query.data ?? []), [query.data])
  const [sheet] = useState(createSheet)
  const [active, setActive] = useState<string>()
  const [isWriting, setWriting] = useState(false)
  const [place, setPlace] = useState<Place>()
  const [goTo, setGoTo] = useState<GoToMeasure>()
  const isPicking = isWriting && panels.shown === 'comments' && numbers !== undefined
  return {
    score,
    sharingKey,
    query,
    threads,
    sheet,
    numbers,
    parts: (music?.partUuids ?? []).map((uuid, index) => ({ uuid, name: music?.parts[index] ?? '' })),
    active,
    open(thread) {
      setActive(thread.first.id)
      panels.show('comments')
      const [measure] = placeOf(thread.first)?.measures ?? []
      if (measure !== undefined) setGoTo({ measure })
    },
    isWriting,
    setWriting,
    place,
    setPlace,
    goTo,
    onPick: isPicking
      ? (from, to, part) => setPlace({ measures: measuresBetween(numbers, from, to), part })
      : undefined,
    quartersOf(uuid) {
      const measure = music?.measures.find((one) => one.uuid === uuid)
      return music && measure ? music.quartersAt(measure.end) - music.quartersAt(measure.start) : 0
    },
  }
}

/** Returns the uuids of the measures from one to another, whichever of them comes first. */
export function measuresBetween(numbers: MeasureNumbers, from: string, to: string): string[] {
  const [a, b] = [numbers.numberOf(from), numbers.numberOf(to)]
  const first = Math.min(a, b)
  return Array.from({ length: Math.abs(a - b) + 1 }, (_, index) => numbers.uuidOf(first + index)).filter(
    (uuid) => uuid !== undefined,
  )
}
