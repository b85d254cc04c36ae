import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where a server is that answers what the pages ask while they are worked on. */
const server = process.env.PARTITA_URL ?? 'http://127.0.0.1:3000'

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: '/account/',
  plugins: [react()],
  // The server puts a new one in its place each time (src/account/browser-app.ts).
  ...(command === 'build' && { html: { cspNonce: 'NONCE' } }),
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: {
    host: '127.0.0.1',
    proxy: { '^/(account/data|auth|v2|docs|invitations)(/|$)': server },
  },
}))
