/** What a server gave and could not be taken as it is: named for agents, for people and for `npm run doctor`. */
import { sayerOf } from '@/lib/i18n/sentences'
import type { Language } from '@/lib/mas/records'
import { UNREAD_EN } from '@/messages/reports.en'
import { UNREAD_ZH } from '@/messages/reports.zh'

/** at: the place in the answer, as `tools[1] (paint).title`; found: what stood there, or what is done with it. */
export type Unread = { why: keyof typeof UNREAD_EN; at: string; found: string }

const say = sayerOf(UNREAD_EN, UNREAD_ZH)

/** One sentence without its full stop. */
export const unreadInWords = (language: Language, unread: Unread): string => say(language, unread.why, unread)

/** More are counted only: a list of thousands may have the same fault everywhere. */
const MOST_NAMED = 20
const LONGEST_FOUND = 200

/** Collects what could not be read of one answer. */
export class UnreadList {
  private readonly named: Unread[] = []
  private more = 0

  add(why: Unread['why'], at: string, found = ''): void {
    if (this.named.length === MOST_NAMED) this.more += 1
    else this.named.push({ why, at, found: found.length > LONGEST_FOUND ? `${found.slice(0, LONGEST_FOUND)}…` : found })
  }

  all(): Unread[] {
    return this.more === 0 ? this.named : [...this.named, { why: 'more', at: '', found: String(this.more) }]
  }

  /** A text; undefined where there is none. */
  text(value: unknown, at: string): string | undefined {
    if (typeof value === 'string') return value
    this.other(value, at)
    return undefined
  }

  /** Notes a value of the wrong kind; nothing at all (null as well) is none. */
  other(value: unknown, at: string): void {
    if (value !== undefined && value !== null) this.add('kind', at, jsonKindOf(value))
  }
}

/** text, number, boolean, list, object, null */
export function jsonKindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' ? 'text' : typeof value
}
