/** Messages of the runtime without anything of the score. */
const fixedMessage =
  /^(?:RuntimeError: (?:unreachable|memory access out of bounds|table index is out of bounds|divide by zero|integer overflow)|RangeError: Maximum call stack size exceeded|FATAL ERROR: [\w :-]*heap[\w :-]*)$/

/** A line of a stack. */
const place = /^\s+at (?:[\w$.<>[\] ]+ \()?(?:file|node|wasm):[^\s()]+:\w+\)?$/

/**
 * Returns what the log may have of an error or of the last output of a host: classes of errors and places in our code. Messages
 * are left out, because they can quote the score, which is the private text of a user.
 * @param text the stack of an error, or lines that an engine wrote
 */
export function traceOf(text: string): string {
  const lines = text.split('\n').flatMap((line) => {
    if (place.test(line) || fixedMessage.test(line)) return [line]
    return /^(?:Uncaught )?[A-Z]\w*(?:Error|Exception)(?=:|$)/.exec(line)?.[0] ?? []
  })
  return lines.join('\n')
}
