/** Where an agent of another system has work done: a Convene that it reaches over HTTP and sockets, and that stops meanwhile. */

/** Apples have one price in the one list and another in the other: somebody who knows has to say which one is correct. */
export const LISTS = {
  'north.csv': 'item,price\napple,3.20\npear,2.10\n',
  'south.csv': 'item,price\napple,3.50\npear,2.10\n',
}
export const wishFor = (folder: string): string =>
  `Compare ${folder}/north.csv and ${folder}/south.csv and write a report`

export const MANAGER = 'agent://ours.example/manager'

/** A task that an agent of another system asked for. said: everything in it, a line each: sender, receivers, text. */
export type Work = { id: string; name: string; state: string; requestedBy: string; group: string[]; said: string[] }

export type Place = {
  /** It may change when the place starts again. */
  url(): string
  /** Call a path; repeated as it is while nobody answers. */
  call(path: string, init?: RequestInit): Promise<{ status: number; text: string; json: Record<string, unknown> }>
  /** It ends, without a word to anybody, and starts again with what it had stored. */
  restart(): Promise<void>
  /** A person allows every call that waits for them now. */
  allowCalls(): Promise<void>
  /** A file of the workspace; null: there is none. */
  read(path: string): string | null
  write(path: string, text: string): void
  works(): Promise<Work[]>
  /** What the agents did, for a test that fails. */
  story(): string
}

const LIMIT_MS = 120_000
const LOOK_EVERY_MS = 25

/** Look until something is there. faults: an Error with what was not found, after two minutes */
export async function found<T>(what: () => string, look: () => Promise<T | null> | T | null): Promise<T> {
  const end = Date.now() + LIMIT_MS
  for (;;) {
    const it = await look()
    if (it !== null) return it
    if (Date.now() > end) throw new Error(`not found: ${what()}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** A call that is repeated while nobody listens at the address. */
export async function callAt(url: () => string, path: string, init: RequestInit = {}): ReturnType<Place['call']> {
  const answer = await found(
    () => `an answer of ${path}`,
    () => fetch(`${url()}${path}`, init).catch(() => null),
  )
  const text = await answer.text()
  return { status: answer.status, text, json: objectIn(text) }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}
