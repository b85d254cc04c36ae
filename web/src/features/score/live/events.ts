/** An event of a stream that the server has sent. */
export interface StreamEvent {
  readonly id: string | undefined
  readonly type: string
  readonly data: string
}

/**
 * Reads server-sent events (https://html.spec.whatwg.org, "Server-sent events"). `EventSource` cannot send the header without which
 * the session does not count.
 * @param onSign is called when anything has arrived, also what is no event
 */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  onSign: () => void,
): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let received = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onSign()
      const blocks = (received + value).split('\n\n')
      received = blocks.pop() ?? ''
      for (const block of blocks) {
        const field = (name: string) =>
          block
            .split('\n')
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2)
        const data = field('data')
        if (data !== undefined) yield { id: field('id'), type: field('event') ?? 'message', data }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
