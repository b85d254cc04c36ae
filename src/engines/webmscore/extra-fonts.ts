/** The fonts of @librescore/fonts by their names there: Source Han Sans with Chinese and Japanese letters, and with Korean ones. */
export type ExtraFont = 'CN' | 'KR'

/** Blocks of Chinese and Japanese letters with their punctuation (Unicode 16, Blocks.txt). */
const chinese =
  /[\u2e80-\u312f\u3190-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{323af}]/u
/** Blocks of Hangul. */
const korean = /[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]/u

/** The fonts that the engine needs for a text beside its own, which have Latin, Greek, Cyrillic, Hebrew, Arabic and Thai letters. */
export function extraFontsFor(text: string): ExtraFont[] {
  return [...(chinese.test(text) ? (['CN'] as const) : []), ...(korean.test(text) ? (['KR'] as const) : [])]
}
