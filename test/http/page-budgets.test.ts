import { describe, expect, it } from 'vitest'
import { appAddresses, appPages } from '../../src/contract/app-pages.ts'
import { languages } from '../../src/texts/texts.ts'
import { type AppBuild, readBuild } from '../../src/web-app/app-build.ts'
import { checkBuild } from '../support/built-app.ts'

// Bytes as the server sends them to a browser: compressed with gzip. docs/web-budgets.md has the reasons.
const budgets = {
  frame: 110_000,
  page: 150_000,
  score: 40_000,
  editor: 90_000,
  embed: 90_000,
  player: 270_000,
}

describe('the JavaScript that a browser loads', async () => {
  checkBuild()
  const build = (await readBuild()) as AppBuild
  const size = async (names: readonly string[]): Promise<number> => {
    const scripts = names.filter((name) => name.endsWith('.js'))
    const gzipped = await Promise.all(scripts.map((name) => build.assets.get(name)?.gzipped()))
    return gzipped.reduce((sum, bytes) => sum + (bytes?.length ?? Number.NaN), 0)
  }
  const namesIn = (html: string): string[] =>
    [...html.matchAll(/"\/assets\/([^"]+)"/g)].map(([, name]) => name ?? '')
  // The language with the longest texts.
  const sizeIn = async (address?: (typeof appAddresses)[number]) =>
    Math.max(
      ...(await Promise.all(
        languages.map(async (language) => {
          const { frame, scripts } = build.filesOf(address, language)
          return size([...frame, ...scripts])
        }),
      )),
    )

  /** The scripts of the editor and its dialogs, with the texts, which the page of a score does not load. Without the engraver, a worker. */
  function filesOfEditor(): string[] {
    const { frame, scripts } = build.filesOf('/scores/{score}', 'en')
    const files = [
      'features/score/edit/edit-page.tsx',
      'editor/edit-view.tsx',
      'editor/command-list.tsx',

      'editor/question-dialog.tsx',
    ]
    const known = new Set([...frame, ...scripts])
    const texts = [...build.assets.keys()].filter((name) => name.startsWith('texts-en-editor-'))
    return [...new Set([...texts, ...files.flatMap((file) => build.filesOfModule(`src/${file}`))])].filter(
      (name) => !known.has(name),
    )
  }

  const areas = [...new Map(appAddresses.map((address) => [appPages[address], address])).entries()]
  const rows: [what: string, bytes: number, budget: number][] = [
    ['the frame', await sizeIn(), budgets.frame],
    ...(await Promise.all(
      areas.map(
        async ([area, address]): Promise<[string, number, number]> => [
          `a page of the area ${area}`,
          await sizeIn(address),
          budgets.page,
        ],
      ),
    )),
    [
      'the page of a score beyond the frame',
      (await sizeIn('/scores/{score}')) - (await sizeIn()),
      budgets.score,
    ],
    ['the editor beyond the page of a score', await size(filesOfEditor()), budgets.editor],
    ['an embed', await size(namesIn(build.embed)), budgets.embed],
    [
      'the synthesizer, after the first press of play',
      await size([...build.assets.keys()].filter((name) => name.startsWith('synth.worklet-'))),
      budgets.player,
    ],
  ]

  // The title of each test has the size, so that the list of the tests shows all of them.
  it.each(rows)('%s has %i of at most %i bytes', (_what, bytes, budget) => {
    expect(bytes).toBeGreaterThan(1000)
    expect(bytes).toBeLessThanOrEqual(budget)
  })
})
