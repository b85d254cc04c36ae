/** What a page of ours looks like to somebody without JavaScript. */
export interface Shown {
  readonly status: number
  readonly headers: Headers
  readonly url: string
  readonly text: string
}

export interface Browser {
  open(url: string, init?: RequestInit): Promise<Shown>
  /** Sends the form of a page that has this action, as it is but for these fields. */
  submit(page: Shown, action: string, fields?: Readonly<Record<string, string>>): Promise<Shown>
  /** The name of who is signed in; undefined where nobody is. */
  signedInAs(): Promise<string | undefined>
  /** What the browser keeps: name → value. */
  readonly cookies: ReadonlyMap<string, string>
}

/**
 * A browser with cookies that runs no scripts. It follows redirects on this site, and stops where one leads elsewhere.
 * @param home the origin of the site
 */
export function browserAt(home: string, headers: Readonly<Record<string, string>> = {}): Browser {
  const cookies = new Map<string, string>()

  function keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  async function open(url: string, init: RequestInit = {}): Promise<Shown> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(url, home), {
      ...init,
      redirect: 'manual',
      headers: { ...headers, ...(cookie && { Cookie: cookie }), ...init.headers },
    })
    keepCookies(response)
    const location = response.headers.get('location')
    const target = location === null ? undefined : new URL(location, home)
    if (target?.origin === new URL(home).origin) return open(target.href)
    return { status: response.status, headers: response.headers, url: target?.href ?? url, text: await response.text() }
  }

  return {
    cookies,
    open,
    async signedInAs() {
      const { status, text } = await open('/account/data/me')
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

/** The forms of a page with the fields that they have before anybody writes in them; buttons apart. */
function formsOf(page: string): { action: string; fields: Record<string, string> }[] {
  return [...page.matchAll(/<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(([, action = '', inside = '']) => ({
    action: unescaped(action),
    fields: Object.fromEntries(
      [...inside.matchAll(/<input [^>]*>/g)].flatMap(([input]) => {
        const name = /name="([^"]*)"/.exec(input)?.[1]
        const isUnchecked = /type="(checkbox|radio)"/.test(input) && !/ checked/.test(input)
        return name && !isUnchecked ? [[name, unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? '')]] : []
      }),
    ),
  }))
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
