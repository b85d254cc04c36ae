/** An event that a server has sent (https://html.spec.whatwg.org, "Server-sent events"). */
export interface ServerEvent {
  readonly id: string | undefined
  readonly type: string
  // Tests read any property of the data and assert what they find.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly data: any
}

export interface EventStream {
  readonly status: number
  readonly headers: Headers
  /** Returns the next event; undefined at the end of the stream. */
  next(): Promise<ServerEvent | undefined>
  /** Disconnects. */
  close(): Promise<void>
}

/** Opens a stream of server-sent events. */
export async function openEvents(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const { status, headers: answered, body } = await fetch(url, { headers })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  return {
    status,
    headers: answered,
    async next() {
      for (;;) {
        const end = received.indexOf('\n\n')
        if (end >= 0) {
          const block = received.slice(0, end)
          received = received.slice(end + 2)
          const event = parsed(block)
          if (event) return event
          continue
        }
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) return undefined
        received += value
      }
    },
    async close() {
      await reader?.cancel()
    },
  }
}

/** Returns undefined for a block that is only a comment. */
function parsed(block: string): ServerEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [name = '', ...value] = line.split(': ')
      return [name, value.join(': ')]
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id'), type: fields.get('event') ?? 'message', data: JSON.parse(data) }
}
