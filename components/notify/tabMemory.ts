/** What the tabs of one member share: who leads, which alerts were given, and telling the server of them. */
import { newId } from '@/client'
import { desktopPermission } from '@/client/notify/desktop'
import { type Effect, type EscalationMemory, NO_ALERTS_GIVEN } from '@/client/notify/escalation'
import { told } from '@/client/notify/push'
import { createTabs, type TabCoordinator } from '@/client/notify/tabs'

/** Calls older than this at the start are shown by the page itself and alert no more. */
const OLD_MS = 10_000

/** in: what browser storage held. out: no alerts, when it was written by another version */
export function readMemory(kept: unknown): EscalationMemory {
  if (typeof kept !== 'object' || kept === null || !('told' in kept) || !('remindedAt' in kept)) return NO_ALERTS_GIVEN
  const { told, remindedAt } = kept
  if (typeof told !== 'object' || told === null || typeof remindedAt !== 'number') return NO_ALERTS_GIVEN
  const fits = Object.entries(told as Record<string, unknown>).filter(
    (entry): entry is [string, EscalationMemory['told'][string]] =>
      typeof entry[1] === 'object' && entry[1] !== null && 'knocks' in entry[1] && 'at' in entry[1],
  )
  return { told: Object.fromEntries(fits), remindedAt }
}

/** Calls that were open before this page count as alerted. openedAt: epoch ms. */
export function withOldCalls(
  memory: EscalationMemory,
  items: readonly { id: string; level: string; since: number }[],
  openedAt: number,
): EscalationMemory {
  const old = items.filter(({ id, level, since }) => level === 'call' && since < openedAt - OLD_MS && !memory.told[id])
  if (old.length === 0) return memory
  const silent = { at: openedAt, knocks: 0, isOnDesktop: false }
  return { ...memory, told: { ...memory.told, ...Object.fromEntries(old.map(({ id }) => [id, silent])) } }
}

/** The server records how its member was alerted; senders read it beside the receipt. */
export function reportAlerts(
  before: EscalationMemory,
  { memory, effects }: { memory: EscalationMemory; effects: Effect[] },
  isHeard: boolean,
): void {
  const knocked = Object.entries(memory.told).filter(([id, { knocks }]) => knocks > (before.told[id]?.knocks ?? 0))
  if (isHeard && knocked.length > 0 && effects.some(({ kind }) => kind === 'knock'))
    void told(
      'page',
      knocked.map(([id]) => id),
    )
  const shown = effects.flatMap((effect) => (effect.kind === 'desktop' && effect.isUrgent ? [effect.id] : []))
  if (shown.length > 0 && desktopPermission() === 'granted') void told('desktop', shown)
}

export function openTabs(member: string): TabCoordinator {
  const name = `convene.tabs.${member}`
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  return createTabs({
    tab: newId(),
    now: () => Date.now(),
    channel: channel && {
      post: (word) => channel.postMessage(word),
      onWord: (hear) => {
        channel.onmessage = ({ data }) => hear(data)
      },
      close: () => channel.close(),
    },
    lead: 'locks' in navigator ? (held) => void navigator.locks.request(name, held).catch(() => undefined) : null,
  })
}
