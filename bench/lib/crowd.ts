/** Many people, and what comes to their browsers: how long after it was decided, and how long nothing came. */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import * as z from 'zod'
import type { TestServer } from '@/e2e/fixtures/server'

const SIGN_INS_AT_ONCE = 4
const PASSWORD_OF = 'CROWD_PASSWORD'
const PASSWORD = 'of all browsers'

/** The environment of servers with that team. */
export const crowdEnvironment = { [PASSWORD_OF]: PASSWORD }

/** The journeys' team with so many operators more: each sees everything, which is the most that a browser can ask for. */
export function crowdTeam(operators: number): string {
  const more = names(operators).map((name) =>
    [
      `  - id: ${name}`,
      `    name: ${name}`,
      '    role: crowd',
      '    access: operator',
      `    password_env: ${PASSWORD_OF}`,
    ].join('\n'),
  )
  const team = readFileSync('config/examples/journeys.yaml', 'utf8').replace(
    /^tools:$/m,
    `${more.join('\n')}\n\ntools:`,
  )
  return `${team}\nserver: { trusted_proxies: [127.0.0.1] }\n`
}

/** A session of each of them, at the nodes in turn. out: cookies */
export async function signInCrowd(nodes: readonly TestServer[], operators: number): Promise<string[]> {
  const cookies: string[] = []
  const left = names(operators).entries()
  const signIn = async (): Promise<void> => {
    for (const [n, name] of left) {
      const answer = await fetch(`${nodes[n % nodes.length]?.url}/api/bind_human_agent`, {
        method: 'POST',
        // Each from a machine of its own: sign-ins of one address are limited.
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` },
        body: JSON.stringify({ human_agent_id: name, password: PASSWORD }),
      })
      if (!answer.ok) throw new Error(`${name} could not sign in: ${await answer.text()}`)
      cookies[n] = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    }
  }
  await Promise.all(Array.from({ length: SIGN_INS_AT_ONCE }, signIn))
  return cookies
}

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `crowd-${n + 1}`)

const Beat = z.object({ node: z.string(), mono: z.number() })
const Frame = z.object({ marks: z.record(z.string(), z.number()).optional() })

export type Heard = {
  onMessage: (browser: number, event: string, message: unknown) => void
  /**
   * Since the last call.
   *
   * out: delaysMs: from an entry's confirmation at a node to its arrival at each browser; silenceMs: the longest between two beats of one
   */
  take: () => { delaysMs: number[]; silenceMs: number }
}

/** in: nodeOf: the node of each browser. The clocks of node and browser are compared by beats: the quickest one took no time. */
export function listen(nodeOf: (browser: number) => number): Heard {
  const clocks = new Map<number, number>()
  const beats = new Map<number, number>()
  let raw: { node: number; ms: number }[] = []
  let silenceMs = 0
  return {
    onMessage(browser, event, message) {
      const now = performance.now()
      const node = nodeOf(browser)
      if (event === 'beat') {
        const { mono } = Beat.parse(message)
        clocks.set(node, Math.min(clocks.get(node) ?? Number.POSITIVE_INFINITY, now - mono))
        silenceMs = Math.max(silenceMs, now - (beats.get(browser) ?? now))
        beats.set(browser, now)
      }
      if (event !== 'frame') return
      for (const confirmed of Object.values(Frame.parse(message).marks ?? {})) raw.push({ node, ms: now - confirmed })
    },
    take() {
      // A browser that gets nothing any more is silent until now.
      const now = performance.now()
      for (const at of beats.values()) silenceMs = Math.max(silenceMs, now - at)
      const taken = { delaysMs: raw.map(({ node, ms }) => ms - (clocks.get(node) ?? 0)), silenceMs }
      raw = []
      silenceMs = 0
      return taken
    },
  }
}
