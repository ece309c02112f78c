/** A browser without pages: it keeps cookies by host and port, and follows where it is sent. */

export type Visit = {
  status: number
  url: string
  text: string /** Each address on the way, the first included. */
  way: string[]
}

const MOST_HOPS = 12

export function openTestBrowser() {
  const jars = new Map<string, Map<string, string>>()

  function keep(origin: string, headers: Headers): void {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...parts] = line.split(';')
      const [name = '', ...value] = pair.split('=')
      const isOver = parts.some((part) => /^\s*max-age=0\s*$/i.test(part) || /^\s*expires=thu, 01 jan 1970/i.test(part))
      if (isOver) jar.delete(name)
      else jar.set(name, value.join('='))
    }
  }
  const cookiesOf = (origin: string): string =>
    [...(jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')

  /** in: until: stops before it goes to an address that begins so */
  async function visit(first: string, until?: string): Promise<Visit> {
    const way = [first]
    let url = first
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      if (until !== undefined && url.startsWith(until)) return { status: 0, url, text: '', way }
      const { origin } = new URL(url)
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie: cookiesOf(origin) } })
      keep(origin, answer.headers)
      const text = await answer.text()
      const to = answer.headers.get('location')
      if (answer.status < 300 || answer.status > 399 || to === null) return { status: answer.status, url, text, way }
      url = new URL(to, url).href
      way.push(url)
    }
    throw new Error(`sent on more than ${MOST_HOPS} times: ${way.join(' → ')}`)
  }

  return {
    visit,
    cookiesOf,
    /** The way of another browser stays its own. */
    forget: (origin: string): void => void jars.delete(origin),
  }
}

export type TestBrowser = ReturnType<typeof openTestBrowser>
