/** What the tabs of one member share: who leads, which alerts were given, and telling the server of them. */
import { newId } from '@/client'
import { desktopPermission } from '@/client/notify/desktop'
import type { Effect, EscalationMemory } from '@/client/notify/escalation'
import { reportAlerted } from '@/client/notify/push'
import { createTabs, type TabCoordinator } from '@/client/notify/tabs'

/** Calls older than this at the start are shown by the page itself and alert no more. */
const OLD_MS = 10_000

/** Calls that were open before this page count as alerted. openedAt: epoch ms. */
export function withOldCalls(
  memory: EscalationMemory,
  items: readonly { id: string; level: string; since: number }[],
  openedAt: number,
): EscalationMemory {
  const old = items.filter(({ id, level, since }) => level === 'call' && since < openedAt - OLD_MS && !memory.told[id])
  if (old.length === 0) return memory
  const silent = { at: openedAt, alerts: 0, isOnDesktop: false }
  return { ...memory, told: { ...memory.told, ...Object.fromEntries(old.map(({ id }) => [id, silent])) } }
}

/** The server records how its member was alerted; senders read it beside the receipt. */
export function reportAlerts(
  before: EscalationMemory,
  { memory, effects }: { memory: EscalationMemory; effects: Effect[] },
  isHeard: boolean,
): void {
  const alerted = Object.entries(memory.told).filter(([id, { alerts }]) => alerts > (before.told[id]?.alerts ?? 0))
  if (isHeard && alerted.length > 0 && effects.some(({ kind }) => kind === 'alarm'))
    void reportAlerted(
      'page',
      alerted.map(([id]) => id),
    )
  const shown = effects.flatMap((effect) => (effect.kind === 'desktop' && effect.isUrgent ? [effect.id] : []))
  if (shown.length > 0 && desktopPermission() === 'granted') void reportAlerted('desktop', shown)
}

export function openTabs(member: string): TabCoordinator {
  const name = `convene.tabs.${member}`
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  return createTabs({
    tab: newId(),
    channel: channel && {
      post: (message) => channel.postMessage(message),
      onMessage: (receive) => {
        channel.onmessage = ({ data }) => receive(data)
      },
      close: () => channel.close(),
    },
    requestLock:
      'locks' in navigator ? (held) => void navigator.locks.request(name, held).catch(() => undefined) : null,
  })
}
