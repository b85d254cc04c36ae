/** Answers a call of the page that shows the embed. What it throws is the answer too. */
export type Method = (parameters: unknown) => unknown

/** The connection to the page that shows the embed. docs/embed.md describes the messages. */
export interface Protocol {
  /** Sends an event to the page if it has subscribed to it. Returns whether it was sent. */
  emit(event: string, parameters?: unknown): boolean
}

/**
 * Answers the messages of the page that shows the embed. Messages of other windows are ignored. The page need not prove who it is:
 * the methods can do nothing that its visitor could not do without it.
 * @param onSubscribe is called when the page subscribes to an event
 */
export function startProtocol(
  methods: Readonly<Record<string, Method>>,
  onSubscribe: (event: string) => void,
): Protocol {
  const subscribed = new Set<string>()
  /** The last answer to each method. The page matches answers by method, in the order of its calls. */
  const answers = new Map<string, Promise<void>>()
  const isFramed = parent !== window
  const send = (message: object, transfer: Transferable[] = []) => {
    if (isFramed) parent.postMessage(message, '*', transfer)
  }

  async function answer(method: string, run: () => unknown): Promise<void> {
    try {
      const response = await run()
      send(
        { method, response },
        response instanceof Uint8Array && response.buffer instanceof ArrayBuffer ? [response.buffer] : [],
      )
    } catch (error) {
      send({ method, error: new Error(error instanceof Error ? error.message : String(error)) })
    }
  }

  function call(method: string, parameters: unknown): void {
    const known = Object.hasOwn(methods, method) ? methods[method] : undefined
    const run = () => {
      if (!known) throw new Error(`This embed has no method ${method}.`)
      return known(parameters)
    }
    answers.set(
      method,
      (answers.get(method) ?? Promise.resolve()).then(() => answer(method, run)),
    )
  }

  function receive({ source, data }: MessageEvent): void {
    if (!isFramed || source !== parent) return
    const message = readMessage(data)
    if (!message) return
    const { method, parameters } = message
    if (method === 'ping') send({ method: 'ping' })
    else if (method === 'addEventListener' || method === 'removeEventListener') {
      const isOn = method === 'addEventListener'
      call(method, undefined)
      if (isOn) subscribed.add(String(parameters))
      else subscribed.delete(String(parameters))
      if (isOn) onSubscribe(String(parameters))
    } else call(method, parameters)
  }

  addEventListener('message', receive)
  send({ event: 'ready' })
  return {
    emit(event, parameters) {
      const isWanted = subscribed.has(event)
      if (isWanted) send({ event, parameters })
      return isWanted
    },
  }
}

/** A message is an object, or its JSON. */
function readMessage(data: unknown): { method: string; parameters: unknown } | undefined {
  let message = data
  if (typeof data === 'string') {
    try {
      message = JSON.parse(data)
    } catch {
      return undefined
    }
  }
  if (typeof message !== 'object' || message === null || !('method' in message)) return undefined
  const { method } = message
  const parameters = 'parameters' in message ? message.parameters : undefined
  return typeof method === 'string' ? { method, parameters } : undefined
}
