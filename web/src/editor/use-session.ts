import { useEffect, useState, useSyncExternalStore } from 'react'
import type { ScoreDocument } from '../../../src/music/model/document.ts'
import { writeJson } from '../../../src/music/formats/json/write.ts'
import { call, Refusal } from '../app/client.ts'
import type { Editor, EditorState } from './model/editor.ts'
import { type OpenedScore, openEditor } from './opened-score.ts'
import { draftsOf } from './saving/drafts.ts'
import { createSaver, type Saver, type SaverState } from './saving/saver.ts'
import { lockTab, type TabLock } from './saving/tab-lock.ts'

/** A score that is open in the editor. */
export interface Session {
  readonly editor: Editor
  readonly saver: Saver<ScoreDocument>
  readonly isRestored: boolean
  forgetDraft(): Promise<void>
}

function openSession(score: string, user: string, opened: OpenedScore): Session {
  const { editor, base, revision, isRestored } = openEditor(opened)
  const drafts = draftsOf(user, score)
  const saver = createSaver<ScoreDocument>({
    drafts,
    revision,
    saved: base,
    document: editor.state().document,
    isChanged: isRestored,
    write: writeJson,
    save: (data, last) => saveRevision(score, data, last),
    onSaved: editor.markSaved,
  })
  editor.onEdit(({ document, operations }) => saver.changed(document, operations))
  return { editor, saver, isRestored, forgetDraft: () => drafts.remove() }
}

async function saveRevision(score: string, data: string, last: string): Promise<{ id: string } | 'conflict'> {
  try {
    return await call('createScoreRevision', {
      params: { score },
      body: { data, autosave: true },
      ifMatch: last,
      idempotencyKey: crypto.randomUUID(),
    })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'REVISION_OUTDATED') return 'conflict'
    throw error
  }
}

/** Opens a score once, and saves what is not saved when the page is left. */
export function useSession(score: string, user: string, opened: OpenedScore): Session {
  const [session] = useState(() => openSession(score, user, opened))
  useEffect(() => {
    const { saver } = session
    const saveHidden = () => {
      if (document.visibilityState === 'hidden') void saver.flush()
    }
    const saveOnline = () => void saver.flush()
    document.addEventListener('visibilitychange', saveHidden)
    addEventListener('online', saveOnline)
    if (session.isRestored) void saver.flush()
    return () => {
      document.removeEventListener('visibilitychange', saveHidden)
      removeEventListener('online', saveOnline)
      void saver.flush().finally(() => saver.close())
    }
  }, [session])
  return session
}

export const useEditorState = (editor: Editor): EditorState =>
  useSyncExternalStore(editor.subscribe, editor.state)

export const useSaverState = (saver: Saver<ScoreDocument>): SaverState =>
  useSyncExternalStore(saver.subscribe, saver.state)

/** Returns whether this window may edit the score: one window at a time does. Undefined until that is known. */
export function useTabLock(score: string): { isOurs: boolean | undefined; take(): void } {
  const [isOurs, setOurs] = useState<boolean>()
  const [lock, setLock] = useState<TabLock>()
  useEffect(() => {
    const asked = lockTab(score, setOurs)
    setLock(asked)
    return () => asked.close()
  }, [score])
  return { isOurs, take: () => lock?.take() }
}
