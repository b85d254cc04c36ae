import { existsSync } from 'node:fs'

/** Where Chromium usually is. The build without a window is first, because tests need a third less of the processor with it. */
export const usualBrowsers = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The Chromium of the tests: at `PARTITA_TEST_BROWSER` or at the usual paths. Undefined if there is none. */
export const browserPath = process.env.PARTITA_TEST_BROWSER || usualBrowsers.find((path) => existsSync(path))

/** The arguments for a browser without a window that asks nothing of other servers. */
export const browserArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A camera, and a microphone that hears a tone each second. A page gets both without a question.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]
