import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { pageRoute } from '../../http/page.ts'

/** A script of pages of the server. */
export interface PageScript {
  readonly path: string
  readonly content: string
}

/** Reads the script `<name>.js` of this folder. A changed script has another path, so that browsers can keep it. */
export function pageScript(name: string): PageScript {
  const content = readFileSync(new URL(`./${name}.js`, import.meta.url), 'utf8')
  return { path: `/auth/${name}-${hash('sha256', content, 'hex').slice(0, 16)}.js`, content }
}

export function servePageScript(scope: FastifyInstance, { path, content }: PageScript): void {
  pageRoute(scope, 'GET', path, () => ({
    status: 200,
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
    content,
  }))
}
