import type { Operation } from '../../../../src/music/editing/operation.ts'
import type { Drafts } from './drafts.ts'

export interface SaverState {
  /** `kept`: only this device has the last changes. `conflict`: the server has a newer revision by somebody else. */
  readonly status: 'saved' | 'kept' | 'saving' | 'conflict' | 'failed'
  readonly error: unknown
}

/** What the saver needs of the server and of the score. */
export interface SaverOptions<Document> {
  readonly drafts: Drafts
  /** The revision that the document began with. */
  readonly revision: string
  /** The document of that revision, or the one that the draft begins with. */
  readonly saved: Document
  readonly document: Document
  /** Whether there are changes already, from a draft. */
  readonly isChanged: boolean
  write(document: Document): string
  /**
   * Saves a revision if the last one is `revision`.
   * @returns the id of the new one, or `conflict`
   */
  save(json: string, revision: string): Promise<{ readonly id: string } | 'conflict'>
  /** Is called when the server has a document. */
  onSaved(document: Document): void
}

/** Saves changes: at once on this device, and on the server after a pause or many changes. */
export interface Saver<Document> {
  state(): SaverState
  subscribe(listener: () => void): () => void
  /** @param operations since the document that was saved last; undefined if it is older than that one */
  changed(document: Document, operations: readonly Operation[] | undefined): void
  /** Saves on the server now. Resolves when that has succeeded or failed. */
  flush(): Promise<void>
  /** The revision of the server that the document builds on. */
  revision(): string
  close(): void
}

/** Milliseconds without a change after which it saves. */
const pause = 10_000
/** Changes after which it saves without a pause. */
const maxChanges = 100
const retryDelay = 30_000

export function createSaver<Document>(options: SaverOptions<Document>): Saver<Document> {
  const { drafts, write, save, onSaved } = options
  const listeners = new Set<() => void>()
  let { revision, document } = options
  let savedDocument = options.saved
  let state: SaverState = { status: options.isChanged ? 'kept' : 'saved', error: undefined }
  /** Whether this device has the document from which the operations begin. */
  let hasBase = options.isChanged
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<void> | undefined
  /** Writes on this device happen one after the other. */
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false

  function change(values: Partial<SaverState>): void {
    state = { ...state, ...values }
    for (const listener of listeners) listener()
  }

  const onDevice = (run: () => Promise<void>): void => {
    // A browser can refuse storage, for example in a private window. Then only the server has the changes.
    writing = writing.then(run).catch(() => undefined)
  }

  function schedule(delay: number): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void flush(), delay)
  }

  async function send(): Promise<void> {
    const sent = document
    change({ status: 'saving', error: undefined })
    try {
      const answer = await save(write(sent), revision)
      if (answer === 'conflict') return change({ status: 'conflict' })
      revision = answer.id
      savedDocument = sent
      count = 0
      onSaved(sent)
      hasBase = false
      if (document === sent) {
        onDevice(() => drafts.remove())
        change({ status: 'saved' })
      } else {
        keepAll()
        schedule(pause)
        change({ status: 'kept' })
      }
    } catch (error) {
      change({ status: 'failed', error })
      schedule(retryDelay)
    }
  }

  /** Keeps the whole document, when there are no operations that lead to it. */
  function keepAll(): void {
    const kept = document
    const base = revision
    hasBase = true
    onDevice(() => drafts.begin(base, write(kept)))
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    if (state.status === 'conflict') return
    await saving
    if (state.status === 'saved') return
    saving ??= send().finally(() => {
      saving = undefined
    })
    await saving
  }

  return {
    state: () => state,
    revision: () => revision,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    changed(next, operations) {
      document = next
      count += 1
      if (!operations) keepAll()
      else {
        if (!hasBase) {
          const base = savedDocument
          const from = revision
          onDevice(() => drafts.begin(from, write(base)))
          hasBase = true
        }
        onDevice(() => drafts.keep(operations))
      }
      if (state.status === 'conflict') return
      if (state.status !== 'saving') change({ status: 'kept' })
      if (count >= maxChanges) void flush()
      else schedule(pause)
    },
    flush,
    close() {
      isClosed = true
      clearTimeout(timer)
      listeners.clear()
    },
  }
}
