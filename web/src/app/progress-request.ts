/** How much of the body of a request has been sent, from 0 to 1. */
export type OnProgress = (sent: number) => void

interface Init {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Blob
  readonly signal?: AbortSignal
}

/**
 * Sends a request like `fetch`, and reports how much of the body has been sent. `fetch` itself does not say it.
 * @throws TypeError without a network, and the reason of the signal
 */
export function fetchWithProgress(
  url: string,
  { method, headers, body, signal }: Init,
  onProgress: OnProgress,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.responseType = 'blob'
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(new TypeError('The network failed.'))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)
  const headers = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    return [name, value]
  })
  const { status } = request
  // These must not have a body.
  const body = status === 204 || status === 304 ? null : (request.response as Blob)
  return new Response(body, { status, headers: headers.filter(([name]) => name !== '') })
}
