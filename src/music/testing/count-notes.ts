/**
 * How many notes sound when a score is played, counted with as little thought as possible and none of the product's
 * code: by patterns in the XML, repeats and endings walked by a loop. Good for scores without jumps.
 */
export function countSoundingNotes(xml: string): number {
  const parts = [...xml.matchAll(/<part id=[^>]*>(.*?)<\/part>/gs)].map(([, part = '']) => {
    return [...part.matchAll(/<measure[^>]*>(.*?)<\/measure>/gs)].map(([, measure = '']) => measure)
  })
  // Repeats hold for all parts, whichever has them.
  const columns = (parts[0] ?? []).map((_, index) => parts.map((measures) => measures[index]).join())
  const order = playedOrder(columns)
  return parts.reduce((sum, measures) => sum + countPart(measures, order), 0)
}

function countPart(measures: readonly string[], order: readonly number[]): number {
  let count = 0
  const tied = new Map<string, number>()
  for (const index of order) {
    const notes = [...(measures[index] ?? '').matchAll(/<note\b.*?<\/note>/gs)].map(([note]) => note)
    const sounding = notes.filter((note) => !/<rest\b|<cue\b/.test(note))
    // A voice may continue a tie that starts in a later voice of the file, so all starts of the measure come
    // first.
    for (const note of sounding) {
      const pitch = pitchOf(note)
      if (note.includes('<tie type="start"/>')) tied.set(pitch, (tied.get(pitch) ?? 0) + 1)
    }
    for (const note of sounding) {
      const pitch = pitchOf(note)
      const open = tied.get(pitch) ?? 0
      if (note.includes('<tie type="stop"/>') && open > 0) tied.set(pitch, open - 1)
      else count += 1
    }
  }
  return count
}

function pitchOf(note: string): string {
  return ['step', 'alter', 'octave'].map((name) => new RegExp(`<${name}>(.*?)</`).exec(note)?.[1]).join()
}

const stopsBracket = /<ending [^>]*type="(?:stop|discontinue)"/

function playedOrder(measures: readonly string[]): number[] {
  const order: number[] = []
  let start = 0
  let time = 1
  let isInBracket = false
  for (let index = 0; index < measures.length; ) {
    const measure = measures[index] ?? ''
    if (measure.includes('direction="forward"') && index !== start) {
      start = index
      time = 1
    }
    // Players read the text of a bracket, "1.u.2.".
    const bracket = /<ending number="[^"]*" type="start">([^<]*)/.exec(measure)?.[1]
    if (bracket !== undefined && !(bracket.match(/\d+/g) ?? []).map(Number).includes(time)) {
      while (!stopsBracket.test(measures[index] ?? '<ending type="stop"')) index += 1
      index += 1
      continue
    }
    isInBracket ||= bracket !== undefined
    order.push(index)
    const repeat = /<repeat direction="backward"(?: times="(\d+)")?/.exec(measure)
    const times = isInBracket ? Number.POSITIVE_INFINITY : Number(repeat?.[1] ?? 2)
    if (stopsBracket.test(measure)) isInBracket = false
    if (repeat !== null && time < times) {
      index = start
      time += 1
      continue
    }
    if (repeat !== null) {
      start = index + 1
      time = 1
    }
    index += 1
  }
  return order
}
