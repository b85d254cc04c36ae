import { afterPlaying } from '../score/player/after-playing.ts'
import { startCursor } from '../score/player/cursor.ts'
import { measureOfNote } from '../score/player/lit-notes.ts'
import type { Player } from '../score/player/player.ts'
import { watchPointer } from '../score/sheet/music-pointer.ts'
import { scrollSmoothly, visibleBand } from '../score/sheet/scrolling.ts'
import { createSheet } from '../score/sheet/sheet.ts'
import { cursorContext, cursorPosition } from './cursor-answers.ts'
import { measureDetails, noteDetails } from './document/details.ts'
import { changedPlace, type CursorPlace, lookUp, noteAt, placeOfNote, startPlace } from './note-cursor.ts'
import type { EmbedOptions } from './options.ts'
import { createPagesView, type PagesView } from './pages-view.ts'
import { countPlay } from './score-files.ts'
import { type ShownScore, timeOf } from './shown-score.ts'

/** An embed: the score that it shows, its view, its player and its cursor. */
export interface Embed {
  readonly options: EmbedOptions
  readonly view: PagesView
  /** The score that is shown, once it is loaded. @throws Error if there is none, or it could not be loaded */
  shown(): Promise<ShownScore>
  /** The player of the score. @throws Error also if the embed has no sound */
  player(): Promise<Player>
  /** Shows a score. Later calls wait for it. */
  load(start: () => Promise<ShownScore>): Promise<void>
  /** Draws the pages again, with the parts that are displayed now. */
  redraw(): Promise<void>
  place(): CursorPlace
  /** Moves the cursor, and the player with it. */
  moveTo(place: CursorPlace): Promise<void>
  scrollToCursor(): void
  /** Goes where a recording is that the page plays itself. @param seconds of the playback */
  goTo(seconds: number): Promise<void>
  emit(event: string, parameters?: unknown): void
  /** Calls a function now, and each time that the player, its state or the score changes. */
  watch(listener: (player: Player | undefined) => void): void
  size(): { width: number; height: number }
}

interface Parts {
  readonly host: HTMLElement
  readonly options: EmbedOptions
  emit(event: string, parameters?: unknown): void
}

/** How often the position is told while the music plays, in milliseconds. */
const positionEvery = 100

export function createEmbed({ host, options, emit }: Parts): Embed {
  const sheet = createSheet()
  const view = createPagesView(host, sheet, options)
  const listeners = new Set<(player: Player | undefined) => void>()
  let loading: Promise<ShownScore> | undefined
  let current: ShownScore | undefined
  let player: Player | undefined
  let stopFollowing = () => {}
  let place = startPlace
  let isCursorShown = false

  const tell = () => {
    for (const listener of listeners) listener(player)
  }
  const size = () => ({
    width: document.documentElement.scrollWidth,
    height: document.documentElement.scrollHeight,
  })

  function shown(): Promise<ShownScore> {
    return loading ?? Promise.reject(new Error('No score is loaded.'))
  }

  const draw = ({ files, displayed }: ShownScore) =>
    view.show(async (setting) => {
      const response = await files.get('svg', { ...setting, parts: displayed?.join(',') })
      return { svg: await response.text(), pages: Number(response.headers.get('X-Partita-Pages') ?? 1) }
    })

  async function load(start: () => Promise<ShownScore>): Promise<void> {
    const before = current
    const attempt = start().then(async (score) => {
      stopFollowing()
      if (current) void current.player.then((old) => old.close()).catch(() => {})
      current = score
      player = undefined
      place = startPlace
      isCursorShown = false
      if (options.parts.length > 0) score.displayed = uuidsOf(score, options.parts)
      await draw(score)
      if (!options.noAudio) void follow(score).catch(tell)
      return score
    })
    loading = attempt
    attempt.catch(() => {
      // What was shown stays.
      if (loading === attempt) loading = before && Promise.resolve(before)
    })
    await attempt
    tell()
    emit('scoreLoaded')
    emit('embedSize', size())
  }

  /** Connects the player of a score with the pages and the cursor. */
  async function follow(score: ShownScore): Promise<void> {
    const created = await score.player
    if (current !== score) return created.close()
    player = created
    created.setVolume(options.playbackVolumeMaster)
    created.setMetronome(options.playbackMetronome === 'active')
    created.setCountIn(options.playbackMetronome === 'count-in')
    const cursor = startCursor(created, sheet, () => view.showMore())
    const { hosted } = score.files
    const stopCounting = hosted ? afterPlaying(created, () => countPlay(hosted)) : () => {}
    let wasPlaying = false
    const timer = setInterval(() => created.state().isPlaying && tellPosition(score, created), positionEvery)
    const unsubscribe = created.subscribe(() => {
      const { isPlaying } = created.state()
      if (isPlaying !== wasPlaying) emit(isPlaying ? 'play' : 'pause')
      wasPlaying = isPlaying
      tell()
    })
    stopFollowing = () => {
      clearInterval(timer)
      stopCounting()
      unsubscribe()
      cursor.stop()
    }
    tell()
  }

  function tellPosition({ score }: ShownScore, { music, position, measure }: Player): void {
    const seconds = position()
    const played = music.measures[measure()]
    if (!played) return
    const quarterFromMeasureStart = Math.max(0, music.quartersAt(seconds) - music.quartersAt(played.start))
    const measureIdx = score.measureUuids.indexOf(played.uuid)
    emit('playbackPosition', { currentMeasure: measureIdx, quarterFromMeasureStart })
    const found = lookUp(score, { ...place, measureIdx })
    if (!found) return
    const noteIdx = noteAt(found.measure, found.voice, quarterFromMeasureStart)
    if (measureIdx !== place.measureIdx || noteIdx !== place.noteIdx)
      changePlace(score, { ...place, measureIdx, noteIdx }, seconds)
  }

  function changePlace(score: ShownScore['score'], next: CursorPlace, seconds: number): void {
    const hasNewMeasure = next.measureIdx !== place.measureIdx || next.partIdx !== place.partIdx
    place = next
    markCursor(score)
    const found = lookUp(score, place)
    emit('cursorPosition', cursorPosition(score, place, seconds))
    emit('cursorContext', cursorContext(score, place))
    if (found && hasNewMeasure)
      emit('measureDetails', measureDetails(score, found.part, place.measureIdx, place.staffIdx))
    if (found?.note) emit('noteDetails', noteDetails(found.part, found.measure, found.note))
  }

  /** Colors the note at the cursor in the color of its voice. */
  function markCursor(score: ShownScore['score']): void {
    for (const marked of host.querySelectorAll('.is-cursor'))
      marked.classList.remove('is-cursor', 'is-voice-2')
    if (!isCursorShown) return
    for (const id of lookUp(score, place)?.note?.ids ?? [])
      for (const element of sheet.note(id)) {
        element.classList.add('is-cursor')
        element.classList.toggle('is-voice-2', place.voiceIdxInStaff % 2 === 1)
      }
  }

  async function moveTo(next: CursorPlace): Promise<void> {
    const { score } = await shown()
    const found = lookUp(score, next)
    const seconds = player
      ? timeOf(player.music, score.measureUuids[next.measureIdx], found?.note?.onset ?? 0)
      : 0
    isCursorShown = true
    changePlace(score, next, seconds)
    player?.seek(seconds)
  }

  sheet.subscribe(() => current && markCursor(current.score))
  watchPointer(host, {
    onNote: (id) => {
      const next = current && placeOfNote(current.score, id)
      if (next) void moveTo(next)
    },
    onMeasure: (measureUuid) => {
      if (current) void moveTo(changedPlace(current.score, place, { measureUuid, noteIdx: 0 }))
    },
    onRange: (from, to) => selectRange(from, to),
  })

  function selectRange(from: string, to: string): void {
    if (!current) return
    const { score } = current
    const [first, last] = [from, to]
      .map(measureOfNote)
      .map((uuid) => score.measureUuids.indexOf(uuid))
      .sort((a, b) => a - b)
    const end = (measureIdx = 0, noteIdx = 0) => {
      const { partIdx, staffIdx, voiceIdxInStaff } = place
      return { partIdx, staffIdx, voiceIdx: voiceIdxInStaff, measureIdx, noteIdx }
    }
    const lastNote = changedPlace(score, place, {
      measureIdx: last,
      noteIdx: Number.MAX_SAFE_INTEGER,
    }).noteIdx
    emit('rangeSelection', { from: end(first), to: end(last, lastNote) })
  }

  new ResizeObserver(() => {
    if (current) emit('embedSize', size())
  }).observe(host)

  return {
    options,
    view,
    shown,
    async player() {
      if (options.noAudio) throw new Error('This embed has no sound: noAudio is set.')
      const score = await shown()
      return score.player
    },
    load,
    redraw: async () => draw(await shown()),
    place: () => place,
    moveTo,
    scrollToCursor() {
      const target = host.querySelector('.is-cursor') ?? host.querySelector('.sheet-cursor')
      if (!target) return
      const { top: edge, bottom: end } = visibleBand()
      const { top } = target.getBoundingClientRect()
      scrollSmoothly(top - edge - (end - edge) * 0.3)
    },
    async goTo(seconds) {
      const score = await shown()
      const following = await score.player
      following.seek(seconds)
      isCursorShown = true
      tellPosition(score, following)
    },
    emit,
    watch(listener) {
      listeners.add(listener)
      listener(player)
    },
    size,
  }
}

/** Returns the uuids of parts that are named by uuid, index, name or abbreviation. @throws Error for an unknown part */
export function uuidsOf({ score: { parts } }: ShownScore, wanted: readonly (string | number)[]): string[] {
  return wanted.map((one) => {
    const found =
      parts.find(({ uuid }) => uuid === one) ??
      parts.find(({ name, abbreviation }) => name === one || abbreviation === one) ??
      (/^\d+$/.test(String(one)) ? parts[Number(one)] : undefined)
    if (!found) throw new Error(`The score has no part ${one}.`)
    return found.uuid
  })
}
