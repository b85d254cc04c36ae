import { useSyncExternalStore } from 'react'

const moved = 'partita-moved'

/** Shows another page of the app, which the button of the browser leads back from. */
export function goTo(path: string): void {
  if (path === location.pathname) return
  history.pushState(null, '', path)
  dispatchEvent(new Event(moved))
  scrollTo(0, 0)
}

/** The path of the page that is shown, without a slash at its end. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname.replace(/(?<=.)\/$/, ''))
}

function subscribe(listener: () => void): () => void {
  for (const name of [moved, 'popstate']) addEventListener(name, listener)
  return () => {
    for (const name of [moved, 'popstate']) removeEventListener(name, listener)
  }
}
