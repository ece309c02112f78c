/** What the parts of this folder exchange: items, channels, the outcome of a send. */
import type { AgentId, AttemptId, TaskId } from '@/lib/mas/ids'
import type { AttemptAbout } from '@/lib/mas/records'

export type Item = { task: TaskId; about: AttemptAbout }

/** One notice as it leaves: for one person, in their language. */
export type OutsideNote = {
  id: AttemptId | string
  person: { id: AgentId; name: string }
  /** test: the person wants to see whether it works. */
  because: 'rings' | 'open' | 'test'
  /** The same for everything that is said of one item: a later notice takes the place of an earlier one. */
  tag: string
  title: string
  text: string
  /** Where the item is, whole. */
  url: string
  items: { task: string; from: string; text: string; url: string; since: number }[]
  language: 'en' | 'zh'
  /** Do not disturb lets it through: without a sound. */
  isSilent: boolean
  /** Things that wait for the person; the number on the app's icon. */
  waiting: number
}

/** again: it may work a little later. why: for the receipts, without secrets. */
export type ChannelResult = { ok: true } | { ok: false; why: string; again: boolean }

export type ChannelSender = (note: OutsideNote) => Promise<ChannelResult>
