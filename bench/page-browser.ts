import { readFile } from 'node:fs/promises'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { browserAt } from '../test/support/browser.ts'
import { browserArguments, browserPath } from '../test/support/browser-program.ts'

/** How slow the device and its network are. */
export interface Device {
  /** How many times slower the processor is. */
  readonly cpu?: number
  /** Bits in a second. */
  readonly network?: number
  /** Whether the browser has the files of an earlier visit. */
  readonly isSecondVisit?: boolean
}

/** An old phone in a network that many share. */
export const slow = { cpu: 4, network: 1_600_000 } as const
/** Milliseconds for the way to the server and back, in a slow network. */
const roundTrip = 150

/** Chromium with the session of the first account. */
export interface PageBrowser {
  /** The header of the session. */
  readonly cookie: string
  /**
   * Opens a page with an empty cache.
   * @param wanted selects what the user waits for
   * @returns milliseconds to the first paint of content and to the paint of what the user waits for, and kB of compressed JavaScript
   */
  open(path: string, wanted: string, device: Device): Promise<readonly [number, number, number]>
  /**
   * Plays a score for twelve seconds, and uses the player meanwhile.
   * @returns frames a second, the longest frame, and the longest time from a click to the next frame, in milliseconds
   */
  play(path: string, device: Device): Promise<readonly [number, number, number]>
  /**
   * Opens a score and looks at each page.
   * @returns the number of pages, and megabytes of the objects of scripts and of the process of the page, after a garbage collection
   */
  memoryOf(path: string, wanted: string): Promise<readonly [number, number, number]>
  close(): Promise<void>
}

/** @param url of a server with the account `ada` of startPartita */
export async function startBrowser(url: string): Promise<PageBrowser> {
  const session = browserAt(url)
  const fields = { username: 'ada', password: 'a long one' }
  await session.submit(await session.open('/auth/signin?next=/healthz'), '/auth/signin', fields)
  const cookies = [...session.cookies].map(([name, value]) => ({ name, value, url }))
  const browser = await chromium.launch({
    ...(browserPath && { executablePath: browserPath }),
    args: [...browserArguments, '--autoplay-policy=no-user-gesture-required'],
  })

  async function inPage<Result>(
    device: Device,
    use: (page: Page, cdp: CDPSession) => Promise<Result>,
  ): Promise<Result> {
    const context: BrowserContext = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en',
      baseURL: url,
    })
    try {
      await context.addCookies(cookies)
      const page = await context.newPage()
      // The server engraves a volume of 97 pages in one run.
      page.setDefaultTimeout(600_000)
      const cdp = await context.newCDPSession(page)
      await cdp.send('Network.enable')
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: device.cpu ?? 1 })
      if (device.network)
        await cdp.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: roundTrip,
          downloadThroughput: device.network / 8,
          uploadThroughput: device.network / 16,
        })
      return await use(page, cdp)
    } finally {
      await context.close()
    }
  }

  return {
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    open: (path, wanted, device) =>
      inPage(device, async (page, cdp) => {
        if (device.isSecondVisit) {
          await page.goto(path)
          await page.locator(wanted).first().waitFor()
          await page.goto('about:blank')
        }
        const scripts = scriptBytes(cdp)
        await page.addInitScript(`(${noteFirst})(${JSON.stringify(wanted)})`)
        await page.goto(path)
        while (!(await page.evaluate<boolean>('window.seenAt > 0'))) await page.waitForTimeout(50)
        const times = '[performance.getEntriesByName("first-contentful-paint")[0]?.startTime, window.seenAt]'
        const [painted = 0, seen = 0] = await page.evaluate<number[]>(times)
        return [painted, seen, scripts() / 1000]
      }),
    play: (path, device) =>
      inPage({}, async (page, cdp) => {
        await page.goto(path)
        await page.locator('.sheet svg').first().waitFor()
        await page.getByRole('button', { name: 'Play' }).click()
        const position = page.getByRole('slider', { name: 'Position' })
        while (Number(await position.inputValue()) < 0.5) await page.waitForTimeout(50)
        await cdp.send('Emulation.setCPUThrottlingRate', { rate: device.cpu ?? 1 })
        await page.evaluate(`(${noteFrames})()`)
        for (let clicks = 0; clicks < 8; clicks++) {
          await page.waitForTimeout(1200)
          await page.getByRole('button', { name: clicks % 4 < 2 ? 'Metronome' : 'Practise' }).click()
        }
        await page.waitForTimeout(2000)
        const { frames, longest, slowest } = await page.evaluate<Frames>('window.frameTimes()')
        return [frames, longest, slowest]
      }),
    memoryOf: (path, wanted) =>
      inPage({}, async (page, cdp) => {
        await page.goto(path)
        await page.locator(wanted).first().waitFor()
        const pages = page.locator('.sheet-page')
        const count = await pages.count()
        for (let index = 0; index < count; index++) {
          await pages.nth(index).scrollIntoViewIfNeeded()
          await pages.nth(index).locator('svg').first().waitFor()
        }
        await cdp.send('HeapProfiler.enable')
        await cdp.send('HeapProfiler.collectGarbage')
        await cdp.send('Performance.enable')
        const { metrics } = await cdp.send('Performance.getMetrics')
        const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
        return [count, heap / 1e6, await megabytesOfRenderers()]
      }),
    close: () => browser.close(),
  }

  /** The proportional memory of the largest process with a page. */
  async function megabytesOfRenderers(): Promise<number> {
    const cdp = await browser.newBrowserCDPSession()
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
    await cdp.detach()
    const renderers = processInfo.filter(({ type }) => type === 'renderer')
    const sizes = await Promise.all(
      renderers.map(async ({ id }) => {
        const memory = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '')
        return Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1] ?? Number.NaN) / 1000
      }),
    )
    return Math.max(...sizes)
  }
}

interface Frames {
  readonly frames: number
  readonly longest: number
  readonly slowest: number
}

/** Counts the bytes of scripts as they come over the network. */
function scriptBytes(cdp: CDPSession): () => number {
  const scripts = new Set<string>()
  let bytes = 0
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (/javascript/.test(response.mimeType)) scripts.add(requestId)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  return () => bytes
}

// The text of functions that run in the page.
const noteFirst = `(selector) => {
  const look = () => {
    if (window.seenAt || !document.querySelector(selector)) return
    // The frame after this one shows it.
    window.seenAt = -1
    requestAnimationFrame(() => requestAnimationFrame(() => { window.seenAt = performance.now() }))
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
}`

const noteFrames = `() => {
  const started = performance.now()
  let last = started, longest = 0, count = 0, slowest = 0
  const frame = (now) => { longest = Math.max(longest, now - last); last = now; count += 1; requestAnimationFrame(frame) }
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame) })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) slowest = Math.max(slowest, entry.duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: false })
  window.frameTimes = () => ({ frames: count / ((last - started) / 1000), longest, slowest })
}`
