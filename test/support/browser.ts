import { type HttpResponse, type ResponseHeaders, send } from './http.ts'

/** A page as a browser without JavaScript receives it. */
export interface BrowserPage {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly url: string
  readonly text: string
}

export interface Browser {
  open(url: string, init?: RequestInit): Promise<BrowserPage>
  /**
   * Sends a request with the cookies of the browser, and stores the cookies of the response. Does not follow
   * redirects.
   */
  fetch(url: string, init?: RequestInit): Promise<HttpResponse>
  /** Submits the form with this action. `fields` replace the values that the page has filled in. */
  submit(page: BrowserPage, action: string, fields?: Readonly<Record<string, string>>): Promise<BrowserPage>
  /** Returns the username of the signed-in user; undefined without a session. */
  signedInAs(): Promise<string | undefined>
  /** The stored cookies: name → value. */
  readonly cookies: ReadonlyMap<string, string>
}

/**
 * Creates a browser that stores cookies and runs no scripts. It follows redirects within the site, and stops
 * at a redirect to another site.
 * @param home the origin of the site
 */
export function browserAt(home: string, headers: Readonly<Record<string, string>> = {}): Browser {
  const cookies = new Map<string, string>()

  function storeCookies(response: HttpResponse): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  async function sendWithCookies(url: string, init: RequestInit = {}): Promise<HttpResponse> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await send(new URL(url, home).href, {
      ...init,
      redirect: 'manual',
      headers: { ...headers, ...(cookie && { Cookie: cookie }), ...init.headers },
    })
    storeCookies(response)
    return response
  }

  async function open(url: string, init: RequestInit = {}): Promise<BrowserPage> {
    const response = await sendWithCookies(url, init)
    const location = response.headers.get('location')
    const target = location === null ? undefined : new URL(location, home)
    if (target?.origin === new URL(home).origin) return open(target.href)
    return {
      status: response.status,
      headers: response.headers,
      url: target?.href ?? url,
      text: await response.text(),
    }
  }

  return {
    cookies,
    open,
    fetch: sendWithCookies,
    async signedInAs() {
      const { status, text } = await open('/internal/me', {
        headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Partita-Client': 'test' },
      })
      return status === 200 ? JSON.parse(text).username : undefined
    },
    submit(page, action, fields = {}) {
      const form = formsOf(page.text).find((form) => form.action === action)
      if (!form) throw new Error(`The page has no form for ${action}: ${page.text}`)
      return open(action, {
        method: 'POST',
        body: new URLSearchParams({ ...form.fields, ...fields }),
        headers: { Origin: new URL(home).origin, 'Sec-Fetch-Site': 'same-origin' },
      })
    },
  }
}

/** Returns the forms of a page with the initial values of their fields, without buttons. */
function formsOf(page: string): { action: string; fields: Record<string, string> }[] {
  return [...page.matchAll(/<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', inside = '']) => ({
      action: unescapeHtml(action),
      fields: Object.fromEntries(
        [...inside.matchAll(/<input [^>]*>/g)].flatMap(([input]) => {
          const name = /name="([^"]*)"/.exec(input)?.[1]
          const isUnchecked = /type="(checkbox|radio)"/.test(input) && !/ checked/.test(input)
          return name && !isUnchecked ? [[name, unescapeHtml(/value="([^"]*)"/.exec(input)?.[1] ?? '')]] : []
        }),
      ),
    }),
  )
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
