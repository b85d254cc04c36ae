/** Keeps a score from being edited in two windows at once. */
export interface TabLock {
  /** Takes the right to edit from the other window. */
  take(): void
  close(): void
}

/**
 * Asks for the right to edit a score in this window.
 * @param onChange is told whether this window has it. A browser without locks always has it
 */
export function lockTab(score: string, onChange: (isOurs: boolean) => void): TabLock {
  let release: (() => void) | undefined
  let isClosed = false

  function ask(options: LockOptions): void {
    if (!navigator.locks) {
      onChange(true)
      return
    }
    void navigator.locks
      .request(`partita.edit.${score}`, options, (lock) => {
        if (isClosed) return undefined
        onChange(lock !== null)
        return lock === null ? undefined : new Promise<void>((resolve) => (release = resolve))
      })
      // Another window has taken it.
      .catch(() => !isClosed && onChange(false))
  }

  ask({ ifAvailable: true })
  return {
    take: () => ask({ steal: true }),
    close() {
      isClosed = true
      release?.()
    },
  }
}
