import { useEffect, useEffectEvent, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ScoreDocument } from '../../../../src/music/model/document.ts'
import { eventOfNote } from '../../../../src/music/editing/reading.ts'
import type { Player } from '../../score/player/player.ts'
import { usePlayer, usePlayerState } from '../../score/player/use-player.ts'
import { musicQuery } from '../../score/source.ts'
import type { Session } from '../use-session.ts'
import { soundingKey } from './sounding-key.ts'

/** Lets notes sound when they are entered, and plays the score as it was saved last. */
export function useSound(
  session: Session,
  score: string,
): { player: Player | undefined; togglePlaying(): void } {
  const [revision, setRevision] = useState(() => session.saver.revision())
  const music = useQuery(musicQuery({ score, revision, sharingKey: undefined }))
  const player = usePlayer(music.data, score)
  const [waits, setWaits] = useState(false)

  const hear = useEffectEvent((document: ScoreDocument, notes: readonly string[]) => {
    if (!player || player.state().isPlaying) return
    for (const id of notes) {
      const event = eventOfNote(document, id)
      const pitch = event?.notes.find((note) => note.id === id)?.pitch
      if (!event || !pitch) continue
      const { part: uuid, measure } = event.position
      const part = Math.max(0, player.music.partUuids.indexOf(uuid))
      const start = player.music.measures.find((one) => one.uuid === measure)?.start ?? 0
      const key = soundingKey(document, uuid, pitch)
      void player.hear({ part, key, start, end: start + 1, ids: [] })
    }
  })
  const { editor, saver } = session
  useEffect(() => editor.onEdit(({ document, heard }) => hear(document, heard)), [editor])

  // The music of the revision that was just saved is there.
  useEffect(() => {
    if (!waits || !player || !music.data || player.music !== music.data) return
    setWaits(false)
    startAtCaret(player, session)
    void player.play()
  }, [waits, player, music.data, session])

  async function togglePlaying(): Promise<void> {
    if (player?.state().isPlaying) return player.pause()
    await saver.flush()
    if (saver.revision() !== revision) setRevision(saver.revision())
    setWaits(true)
  }
  return { player, togglePlaying: () => void togglePlaying() }
}

function startAtCaret(player: Player, { editor }: Session): void {
  const { measure } = editor.state().caret
  const start = player.music.measures.find(({ uuid }) => uuid === measure)?.start
  if (start !== undefined) player.seek(start)
}

export const useIsPlaying = (player: Player): boolean => usePlayerState(player).isPlaying
