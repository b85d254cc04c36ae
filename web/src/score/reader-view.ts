import { useStoredSetting } from './stored-setting.ts'

/** What is shown instead of all parts as written, as parameters of the server's exports. */
export interface Variant {
  /** The uuids of the parts, separated by commas. */
  readonly parts?: string
  /** Semitones and steps: `3,2`. */
  readonly transpose?: string
  readonly concertPitch?: boolean
}

const layouts = ['scroll', 'pages', 'line'] as const
/** How pages are laid out in the window: one below the other, one beside the other to turn, or as one line of music. */
export type Layout = (typeof layouts)[number]

/** What a reader sees of a score. */
export interface ReaderView {
  readonly variant: Variant
  /** Changes some of the variant. Undefined values are left out of it. */
  change(values: { readonly [Name in keyof Variant]: Variant[Name] | undefined }): void
  readonly layout: Layout
  setLayout(layout: Layout): void
}

/** Returns the view of a score, which the reader's device remembers for this score, and the layout, for all scores. */
export function useReaderView(score: string): ReaderView {
  const [stored, store] = useStoredSetting(`view.${score}`, '{}', (text) =>
    readVariant(text) ? text : undefined,
  )
  const [layout, setLayout] = useStoredSetting<Layout>('layout', 'scroll', (text) =>
    layouts.find((one) => one === text),
  )
  const variant = readVariant(stored) ?? {}
  return {
    variant,
    change: (values) => store(JSON.stringify({ ...variant, ...values })),
    layout,
    setLayout,
  }
}

/** Undefined for a text that is no variant, because anything can be in the storage of a browser. */
function readVariant(text: string): Variant | undefined {
  try {
    const { parts, transpose, concertPitch } = JSON.parse(text) as Record<string, unknown>
    return {
      ...(typeof parts === 'string' && parts && { parts }),
      ...(typeof transpose === 'string' && transpose && { transpose }),
      ...(typeof concertPitch === 'boolean' && { concertPitch }),
    }
  } catch {
    return undefined
  }
}
