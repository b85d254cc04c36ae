import type { FetchEvent, PageMessage, WorkerScope } from './worker-scope.ts'

// Opens the app and the scores that were read last without a network (docs/decisions/052-library-and-frame.md). It must not
// import anything: the build only removes the types and replaces BUILD.

const worker = self as unknown as WorkerScope
const build = 'BUILD'

/** Scripts, styles, texts and icons. Their names have a hash of the content. */
const assets = `assets-${build}`
/** Sounds of the player. */
const sounds = 'sounds'
/** What one user has read. There is at most one such cache, and none after signing out. */
const userPrefix = 'user-'
/** The address under which the HTML of the app is kept. */
const shell = `/shell-${build}`

const maxSounds = 40
const maxScores = 20
/** All files of all kept scores and lists. */
const maxKept = 600

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    deleteCaches((name) => name.startsWith('assets-') && name !== assets).then(() => worker.clients.claim()),
  )
})

worker.addEventListener('message', (event) => {
  const { data } = event
  if (data.kind === 'build') event.ports[0]?.postMessage(build)
  else event.waitUntil(data.kind === 'activate' ? worker.skipWaiting() : rememberUser(data))
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  // The sign-in page is shown to nobody whose session lasts.
  if (pathname === '/auth/signout' || pathname === '/auth/signin') event.waitUntil(forgetUser())
  else if (request.method !== 'GET') return
  else if (pathname.startsWith('/assets/')) event.respondWith(fromCache(assets, request))
  else if (pathname.startsWith('/sounds/')) event.respondWith(fromCache(sounds, request, maxSounds))
  else if (request.mode === 'navigate') {
    if (isAppPage(pathname)) event.respondWith(pageOf(event))
  } else if (isKept(request.url)) event.respondWith(fromServer(event))
})

const deleteCaches = async (which: (name: string) => boolean): Promise<unknown> =>
  Promise.all((await caches.keys()).filter(which).map((name) => caches.delete(name)))

/** What this service worker has put into the cache of the user, or is about to. */
const stored = new Set<string>()

function forgetUser(): Promise<unknown> {
  stored.clear()
  return deleteCaches((name) => name.startsWith(userPrefix) || name === sounds)
}

const userCache = async (): Promise<Cache | undefined> => {
  const name = (await caches.keys()).find((one) => one.startsWith(userPrefix))
  return name === undefined ? undefined : caches.open(name)
}

/** Keeps what the page of a user has loaded so far, also before this service worker existed. */
async function rememberUser({ user, loaded }: PageMessage & { kind: 'user' }): Promise<void> {
  const name = userPrefix + user
  if (!(await caches.has(name))) stored.clear()
  await deleteCaches((one) => one.startsWith(userPrefix) && one !== name)
  const [ofUser, ofBuild] = await Promise.all([caches.open(name), caches.open(assets)])
  const add = async (cache: Cache, key: string, url: string): Promise<void> => {
    if (stored.has(key) || (await cache.match(key, { ignoreVary: true }))) return
    stored.add(key)
    const response = await fetch(url, { headers: { 'X-Partita-Client': 'web' } }).catch(() => undefined)
    // A page without a session is the sign-in page.
    if (response?.ok && !response.redirected) await cache.put(key, response)
  }
  await Promise.all([
    add(ofUser, shell, '/scores'),
    ...loaded.flatMap((url) => {
      if (isKept(url)) return add(ofUser, url, url)
      return new URL(url).pathname.startsWith('/assets/') ? add(ofBuild, url, url) : []
    }),
  ])
}

/** Answers with the file that is kept, and keeps it otherwise. */
async function fromCache(name: string, request: Request, max = Number.POSITIVE_INFINITY): Promise<Response> {
  const cache = await caches.open(name)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) {
    await cache.put(request, response.clone())
    await deleteAllBut(cache, max)
  }
  return response
}

/** Pages below these addresses are not the app’s. */
const isAppPage = (path: string): boolean =>
  !/^\/(?:auth|docs|embed|internal|invitations|oembed|pictures|v2)(?:\/|$)/.test(path)

/** The server says who may see a page. Only without a network, the page that is kept opens. */
async function pageOf({ request }: FetchEvent): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await (await userCache())?.match(shell)
    if (kept) return kept
    throw error
  }
}

/** Data that pages of scores and the lists of them show. */
function isKept(address: string): boolean {
  const { origin, pathname, searchParams } = new URL(address)
  if (origin !== location.origin) return false
  if (pathname === '/internal/me') return true
  if (/^\/v2\/collections(?:\/[^/]+(?:\/scores)?)?$/.test(pathname))
    return !['composer', 'instrument', 'next', 'q'].some((name) => searchParams.has(name))
  return /^\/v2\/scores\/[^/]+(?:\/(?:comments|tracks|revisions|revisions\/[^/]+\/(?:svg|midi|synchronizationPoints|noteTimes)))?$/.test(
    pathname,
  )
}

const scoreOf = (address: string): string | undefined =>
  /^\/v2\/scores\/([^/]+)/.exec(new URL(address).pathname)?.[1]

let requestCount = 0
/** For each score that the server has refused: the number of requests that had begun then. */
const refusals = new Map<string, number>()

/** Answers with what the server says, and without a network with what it said last. */
async function fromServer(event: FetchEvent): Promise<Response> {
  const { request } = event
  const began = ++requestCount
  let response: Response
  try {
    response = await fetch(request)
  } catch (error) {
    const kept = await (await userCache())?.match(request, { ignoreVary: true })
    if (kept) return kept
    throw error
  }
  // Not earlier: the user may have signed in or out while the server answered.
  const cache = await userCache()
  if (cache) {
    stored.add(request.url)
    event.waitUntil(update(cache, request, response.clone(), began))
  }
  return response
}

async function update(cache: Cache, request: Request, response: Response, began: number): Promise<void> {
  const score = scoreOf(request.url)
  if (response.status === 401) await forgetUser()
  else if (response.ok) {
    // A key that is put again becomes the last one.
    await cache.put(request, response)
    // An engraved page can arrive after a later request for its score was refused.
    if (score && began <= (refusals.get(score) ?? 0)) await deleteScore(cache, score)
    await deleteOldScores(cache)
  } else if (score && (response.status === 403 || response.status === 404)) {
    refusals.set(score, requestCount)
    await deleteScore(cache, score)
  }
}

/** Deletes the scores that were not opened for the longest time. */
async function deleteOldScores(cache: Cache): Promise<void> {
  const keys = await cache.keys()
  const opened = keys.flatMap(({ url }) => (/^\/v2\/scores\/[^/]+$/.test(new URL(url).pathname) ? [url] : []))
  for (const url of opened.slice(0, -maxScores)) await deleteScore(cache, scoreOf(url) ?? '')
  await deleteAllBut(cache, maxKept)
}

async function deleteScore(cache: Cache, score: string): Promise<void> {
  const keys = (await cache.keys()).filter(({ url }) => scoreOf(url) === score)
  await Promise.all(keys.map((key) => cache.delete(key, { ignoreVary: true })))
}

/** Deletes the oldest entries above a number. */
async function deleteAllBut(cache: Cache, max: number): Promise<void> {
  const keys = await cache.keys()
  await Promise.all(keys.slice(0, -max).map((key) => cache.delete(key, { ignoreVary: true })))
}
