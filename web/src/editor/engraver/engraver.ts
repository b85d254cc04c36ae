import type { EngravingAnswer, EngravingTask } from './messages.ts'

/** Engraves music in a worker. */
export interface Engraver {
  /**
   * Engraves music, and gives up what waits for the same purpose. Rejects if the engraver fails, and resolves to undefined if the
   * task was given up.
   * @param purpose `whole` for the whole score, `lines` for the lines that are edited, which come first
   */
  engrave(purpose: Purpose, task: Omit<EngravingTask, 'id'>): Promise<readonly string[] | undefined>
  close(): void
}

type Purpose = 'lines' | 'whole'

interface Waiting {
  readonly purpose: Purpose
  readonly task: EngravingTask
  resolve(lines: readonly string[] | undefined): void
  reject(error: Error): void
}

/** A worker as this module uses it. */
export type EngravingWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

/** How often the same task may end a worker. */
const maxAttempts = 2

/** @param startWorker starts a worker, which answers `ready` when it can engrave */
export function createEngraver(startWorker: () => EngravingWorker): Engraver {
  let worker: EngravingWorker | undefined
  let isReady = false
  let running: Waiting | undefined
  let attempts = 0
  let lastId = 0
  let isClosed = false
  const waiting: Waiting[] = []

  function start(): void {
    isReady = false
    const started = startWorker()
    worker = started
    started.onmessage = ({ data }: MessageEvent<EngravingAnswer>) => receive(data)
    started.onerror = () => crashed()
  }

  function receive(answer: EngravingAnswer): void {
    if (answer.kind === 'ready') {
      isReady = true
      next()
    } else if (answer.kind === 'failed') crashed()
    else if (answer.id === running?.task.id) {
      const { resolve } = running
      running = undefined
      attempts = 0
      resolve(answer.lines)
      next()
    }
  }

  /** Starts another worker, which does the task again. Music that ends two workers is refused. */
  function crashed(): void {
    worker?.terminate()
    worker = undefined
    if (isClosed) return
    attempts += 1
    if (attempts >= maxAttempts) {
      attempts = 0
      const failed = running ? [running] : waiting.splice(0)
      running = undefined
      for (const { reject } of failed) reject(new Error('The music could not be engraved.'))
      if (waiting.length > 0) start()
      return
    }
    if (running) waiting.unshift(running)
    running = undefined
    start()
  }

  function next(): void {
    if (running || !isReady || !worker) return
    const lines = waiting.findIndex(({ purpose }) => purpose === 'lines')
    const [one] = waiting.splice(Math.max(0, lines), 1)
    if (!one) return
    running = one
    worker.postMessage(one.task)
  }

  return {
    engrave(purpose, task) {
      return new Promise((resolve, reject) => {
        const outdated = waiting.findIndex((one) => one.purpose === purpose)
        if (outdated >= 0) waiting.splice(outdated, 1)[0]?.resolve(undefined)
        lastId += 1
        waiting.push({ purpose, task: { ...task, id: lastId }, resolve, reject })
        if (!worker && !isClosed) start()
        next()
      })
    },
    close() {
      isClosed = true
      worker?.terminate()
      for (const { resolve } of [...waiting.splice(0), ...(running ? [running] : [])]) resolve(undefined)
      running = undefined
    },
  }
}

export const startVerovio = (): EngravingWorker =>
  new Worker(new URL('./verovio.worker.ts', import.meta.url), { type: 'module', name: 'engraver' })
