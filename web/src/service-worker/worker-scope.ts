// The scope of a service worker, which the types of pages do not have.

export interface LastingEvent extends Event {
  /** Keeps the service worker running until then. */
  waitUntil(until: Promise<unknown>): void
}

export interface FetchEvent extends LastingEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

export interface PageMessageEvent extends LastingEvent {
  readonly data: PageMessage
  readonly ports: readonly MessagePort[]
}

/** What a page tells the service worker. */
export type PageMessage =
  /** This user is signed in, and the page has loaded these addresses. */
  | { readonly kind: 'user'; readonly user: string; readonly loaded: readonly string[] }
  /** Asks for the build of the service worker. */
  | { readonly kind: 'build' }
  /** The page belongs to the same build, so the service worker need not wait for other pages. */
  | { readonly kind: 'activate' }

export interface WorkerScope {
  addEventListener(name: 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(name: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(name: 'message', listener: (event: PageMessageEvent) => void): void
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
}
