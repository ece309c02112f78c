import type { Language } from '@/lib/language'
import type { AgentId, AttemptId, RequestId, TaskId } from '@/lib/mas/ids'

export type Item = { task: TaskId; request: RequestId }

/** One notification for one person, in their language. */
export type OutsideNote = {
  id: AttemptId | string
  person: { id: AgentId; name: string }
  /** test: sent on request of the person. */
  because: 'rings' | 'open' | 'test'
  /** Equal for all notifications of one item: a later one replaces an earlier one. */
  tag: string
  title: string
  text: string
  url: string
  items: { task: string; from: string; text: string; url: string; since: number }[]
  language: Language
  /** Allowed by do-not-disturb, but without a sound. */
  isSilent: boolean
  /** Number of items that wait for the person, for the app's icon. */
  waiting: number
}

/** again: a repeat may succeed. why: for the attempt, without secrets. */
export type ChannelResult = { ok: true } | { ok: false; why: string; again: boolean }

export type ChannelSender = (note: OutsideNote) => Promise<ChannelResult>
