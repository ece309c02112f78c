/** Notification data of each person: browsers, do-not-disturb, rules, language. Loaded at the start, then cached. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { minutesOfDay } from '@/lib/format'
import { isTimeZone } from '@/lib/format/timeZones'
import type { Language } from '@/lib/language'
import type { AgentId } from '@/lib/mas/ids'
import type { PushSubscription } from '@/lib/wire'
import { dndAt, NO_DND } from '@/lib/wire/dnd'
import { pushSubscription, settings } from '@/lib/wire/http'
import type { RingRules } from '@/lib/wire/levels'
import type { People } from '../store'
import type { DndSituation } from './plan'

const PUSH = 'push:'
/** Most browsers of a person; the one that registered first is dropped first. */
const BROWSERS_KEPT = 10
/** The row with the team's key pair for Web Push. */
export const PUSH_KEYS = { person: 'system:notify', key: 'push-keys' }

const keyPair = z.object({ publicKey: z.string(), privateKey: z.string() })
/** Their other settings do not matter here. */
const ownSettings = settings.pick({ language: true, rest: true, timeZone: true, levels: true, senders: true })

export type Browser = PushSubscription & { id: string; at: number }
type PushKeys = z.infer<typeof keyPair>

export type PushSubscriptions = {
  keys: PushKeys
  browsersOf: (person: AgentId) => readonly Browser[]
  /** Replaces the row of the same browser. */
  addBrowser: (person: AgentId, browser: PushSubscription) => Promise<Browser>
  dropBrowser: (person: AgentId, id: string) => Promise<void>
  restOf: (person: AgentId, now: number) => DndSituation
  /** Their rules for alerts, by task and by sender. */
  rulesOf: (person: AgentId) => RingRules
  languageOf: (person: AgentId) => Language | null
  /** Their settings or browsers have changed. */
  readAgain: (person: AgentId) => Promise<void>
}

/** Derived from the address, so that a browser has one row. */
const idOf = (endpoint: string): string => createHash('sha256').update(endpoint).digest('base64url').slice(0, 16)

/** in: the people to load. out: their browsers and settings. Rejects with errors of the store */
export async function openPeople(people: People, persons: readonly AgentId[]): Promise<PushSubscriptions> {
  const browsers = new Map<AgentId, Browser[]>()
  const kept = new Map<AgentId, z.infer<typeof ownSettings>>()

  const readBrowsers = async (person: AgentId): Promise<Browser[]> => {
    const rows = await people.list(person, PUSH)
    const known = rows.flatMap(({ key, value, at }): Browser[] => {
      const read = pushSubscription.safeParse(value)
      return read.success ? [{ ...read.data, id: key.slice(PUSH.length), at }] : []
    })
    browsers.set(person, known)
    return known
  }
  const readSettings = async (person: AgentId): Promise<void> => {
    const row = await people.get(person, 'settings')
    kept.set(person, ownSettings.safeParse(row?.value ?? {}).data ?? {})
  }
  const drop = async (person: AgentId, id: string): Promise<void> => {
    await people.remove(person, PUSH + id)
    await readBrowsers(person)
  }

  const keys = await keysOf(people)
  for (const person of persons) await Promise.all([readBrowsers(person), readSettings(person)])

  return {
    keys,
    browsersOf: (person) => browsers.get(person) ?? [],
    async addBrowser(person, browser) {
      const id = idOf(browser.endpoint)
      // Another person signed in here before: this person must not see their notifications.
      for (const other of persons) {
        if (other !== person && browsers.get(other)?.some((one) => one.id === id)) await drop(other, id)
      }
      const row = await people.get(person, PUSH + id)
      await people.put(person, PUSH + id, browser, row?.version ?? null)
      const known = await readBrowsers(person)
      const oldest = known.filter((one) => one.id !== id).sort((a, b) => a.at - b.at)
      for (const one of oldest.slice(0, Math.max(0, known.length - BROWSERS_KEPT))) await drop(person, one.id)
      return browsers.get(person)?.find((one) => one.id === id) ?? { ...browser, id, at: 0 }
    },
    dropBrowser: drop,
    restOf(person, now) {
      const rest = kept.get(person)?.rest ?? NO_DND
      return {
        ...dndAt(rest, now, minutesAt(now, kept.get(person)?.timeZone ?? rest.daily?.zone ?? null)),
        lets: rest.urgentBreaksThrough,
      }
    },
    rulesOf: (person) => kept.get(person) ?? {},
    languageOf: (person) => kept.get(person)?.language ?? null,
    async readAgain(person) {
      await Promise.all([readBrowsers(person), readSettings(person)])
    },
  }
}

/** Created once, as subscriptions depend on them. Of two concurrent starts the first pair is kept. */
async function keysOf(people: People): Promise<PushKeys> {
  const known = keyPair.safeParse((await people.get(PUSH_KEYS.person, PUSH_KEYS.key))?.value)
  if (known.success) return known.data
  // Loaded on first use, so that it does not delay the start.
  const { default: webPush } = await import('web-push')
  const made = webPush.generateVAPIDKeys()
  const put = await people.put(PUSH_KEYS.person, PUSH_KEYS.key, made, null)
  return put.ok ? made : keyPair.parse(put.current.value)
}

/** Minutes after midnight in the person's time zone; if this machine does not know it, in the server's. */
const minutesAt = (now: number, zone: string | null): number =>
  minutesOfDay(now, zone !== null && isTimeZone(zone) ? zone : null)
