import type { PageMessage } from '../service-worker/worker-scope.ts'

/** The service worker exists in built apps only, and in browsers that have it: on HTTPS and on localhost. */
const canRegister = import.meta.env.PROD && 'serviceWorker' in navigator

/**
 * Registers the service worker after the page has loaded, and tells it who is signed in. It then keeps the app and the scores that
 * the user reads (src/service-worker/service-worker.ts).
 * @param user the id
 * @param onUpdate is called when the server has another version of the app than this page
 */
export async function keepForOffline(user: string, onUpdate: () => void): Promise<void> {
  if (!canRegister) return
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  try {
    const registration = await navigator.serviceWorker.register('/service-worker.js')
    await rememberUser(user)
    await watchForUpdates(registration, onUpdate)
  } catch {
    // A browser can forbid it, for example in a private window. The app works without it.
  }
}

/** Tells the service worker again who is signed in: it forgets the user when the sign-in page opens. */
export async function rememberUser(user: string): Promise<void> {
  if (!canRegister || !(await navigator.serviceWorker.getRegistration())) return
  const { active } = await navigator.serviceWorker.ready
  send(active, { kind: 'user', user, loaded: [] })
  // The page loads files before the service worker sees its requests, or knows the user.
  const observer = new PerformanceObserver((list) =>
    send(active, { kind: 'user', user, loaded: list.getEntriesByType('resource').map(({ name }) => name) }),
  )
  observer.observe({ type: 'resource', buffered: true })
}

const send = (worker: ServiceWorker | null, message: PageMessage, ports: MessagePort[] = []): void =>
  worker?.postMessage(message, ports)

/** Milliseconds after which a page that stays open asks for a new version. */
const updateInterval = 60 * 60_000

async function watchForUpdates(registration: ServiceWorkerRegistration, onUpdate: () => void): Promise<void> {
  const compare = async (worker: ServiceWorker | null): Promise<void> => {
    if (!worker) return
    const theirs = await buildOf(worker)
    if (theirs !== ownBuild()) onUpdate()
    else if (worker === registration.waiting) send(worker, { kind: 'activate' })
  }
  const watchInstalling = (): void => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && registration.active) void compare(installing)
    })
  }
  watchInstalling()
  registration.addEventListener('updatefound', watchInstalling)
  setInterval(() => void registration.update().catch(() => undefined), updateInterval)
  await compare(registration.waiting)
}

function buildOf(worker: ServiceWorker): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
    send(worker, { kind: 'build' }, [port2])
  })
}

/** The build of this page, which its HTML names (web/installable-plugin.ts). */
const ownBuild = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="partita-build"]')?.content
