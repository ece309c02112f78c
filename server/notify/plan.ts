/** Plans notifications: who is notified of what, by which channel, when. Of several missed times only the latest counts. Pure. */
import { gather } from '@/lib/gather'
import { approvalWaitsSince, type PendingAlert, selectAlerts, selectPeople } from '@/lib/mas/asks/alerts'
import { mayHelp } from '@/lib/mas/asks/commands/attempts'
import type { Due } from '@/lib/mas/asks/due'
import type { AgentId } from '@/lib/mas/ids'
import { type AttemptRecord, type OwnChannel, PILES_UP, type World } from '@/lib/mas/records'
import { loudnessFor, type RingRules } from '@/lib/wire/levels'
import type { NotifyConfig } from '../config'

/** isResting: do-not-disturb; until: epoch ms, null: until they end it. lets: Urgents may break through. */
export type DndSituation = { isResting: boolean; until: number | null; lets: boolean }

/** Input beside the world. Times are epoch ms. */
type Situation = Pick<NotifyConfig, 'times' | 'escalation'> & {
  node: string
  channelsOf: (person: AgentId) => readonly OwnChannel[]
  /** Since when no page of theirs is open, epoch ms; null: one is open. */
  goneSince: (person: AgentId) => number | null
  restOf: (person: AgentId, now: number) => DndSituation
  rulesOf: (person: AgentId) => RingRules
}

/** Everything that is due now or later, unordered. */
export function planNotices(world: World, now: number, situation: Situation): Due[] {
  const due: Due[] = []
  const calls = selectAlerts(world)
  for (const call of calls.rings) {
    // They snoozed it: it alerts again at that time.
    if (call.snoozedUntil !== null && call.snoozedUntil > now) continue
    due.push(...ownChannels(call, rungsOf(call, situation), now, situation), ...askNext(world, call, situation))
  }
  const { raiseAgainMs, openMs, approvalUrgentAfterMs } = situation.times
  if (raiseAgainMs > 0) {
    for (const left of calls.left) {
      due.push({ at: left.since + raiseAgainMs, command: { type: 'raiseAgain', ...left } })
    }
  }
  if (approvalUrgentAfterMs > 0) due.push(...urgentLater(world, calls.open, approvalUrgentAfterMs))
  if (openMs > 0) due.push(...openLong(calls.open, now, situation))
  return due
}

/** Approvals become urgent that wait for long, once for all who are asked. */
function urgentLater(world: World, open: readonly PendingAlert[], afterMs: number): Due[] {
  const approvals = new Map(open.map(({ task, request }) => [request, task]))
  return [...approvals].flatMap(([request, task]): Due[] => {
    const found = world.requests[task]?.[request]
    const since = found === undefined ? null : approvalWaitsSince(found)
    return since === null ? [] : [{ at: since + afterMs, command: { type: 'urgeDue', task, request, since } }]
  })
}

/** Times at which the person's own channels are used; the first is earlier without an open page. */
function rungsOf({ since, person }: PendingAlert, { times, goneSince }: Situation): number[] {
  const gone = goneSince(person)
  const told = since + times.ownChannelsMs
  const first = gone === null ? told : Math.min(told, Math.max(since, gone) + times.noPageMs)
  const rungs = [first]
  for (let at = told + times.againMs; at <= since + times.untilMs; at += times.againMs) rungs.push(at)
  return rungs
}

/** One person's channels for one item. out: what is due now, and when to plan again */
function ownChannels(call: PendingAlert, rungs: readonly number[], now: number, situation: Situation): Due[] {
  const { person } = call
  const rung = rungs.filter((at) => at <= now).length
  const [past, next] = [rungs[rung - 1], rungs[rung]]
  const mine = call.attempts.filter((one) => one.person === person && one.because === 'rings')
  const wish = (
    at: number,
    channel: OwnChannel | 'none',
    more: { outcome: 'began' | 'held' | 'missing'; until?: number | null; rung: number },
  ): Due => ({
    at,
    command: {
      type: 'attemptNotice',
      person,
      items: [{ task: call.task, request: call.request }],
      channel,
      because: 'rings',
      node: situation.node,
      until: null,
      ...more,
    },
  })
  const later = next === undefined ? [] : [wish(next, 'none', { outcome: 'began', rung: rung + 1 })]
  if (past === undefined) return later

  const channels = situation.channelsOf(person)
  if (channels.length === 0) {
    const isKnown = mine.some(({ outcome }) => outcome === 'missing')
    return isKnown ? [] : [wish(past, 'none', { outcome: 'missing', rung })]
  }
  const rest = situation.restOf(person, now)
  if (rest.isResting && !rest.lets) {
    const isSaid = mine.some(({ outcome, until }) => outcome === 'held' && until === rest.until)
    const held = isSaid ? [] : [wish(past, 'none', { outcome: 'held', until: rest.until, rung })]
    return rest.until === null ? held : [...held, wish(rest.until, 'none', { outcome: 'began', rung })]
  }
  const sends = channels
    .filter((channel) => isWanted(channel, rung, mine))
    .map((channel) => wish(past, channel, { outcome: 'began', rung }))
  return [...sends, ...later]
}

function isWanted(channel: OwnChannel, rung: number, tried: readonly AttemptRecord[]): boolean {
  const before = tried.filter((one) => one.channel === channel)
  if (PILES_UP[channel] && before.some(({ outcome }) => outcome !== 'failed')) return false
  return before.every((one) => one.rung < rung)
}

/** The next member of the role group, if an escalation is configured; they get alerts of their own. */
function askNext(world: World, call: PendingAlert, { escalation }: Situation): Due[] {
  // The member after the next is asked by the next one's escalation.
  if (call.attempts.some(({ channel }) => channel === 'next')) return []
  const groups = world.agents[call.person]?.groups ?? []
  const policy = escalation.find(({ group }) => groups.includes(group))
  if (policy === undefined) return []
  const to = nextIn(world, call, policy.group)
  const { task, request, person, since } = call
  return to === undefined
    ? []
    : [{ at: since + policy.afterMs, command: { type: 'escalate', task, request, from: person, to } }]
}

/** In the order of the configuration, cyclic, starting after the person, who is asked already. */
function nextIn(world: World, call: PendingAlert, group: string): AgentId | undefined {
  const members = selectPeople(world.agents).filter(({ groups }) => groups.includes(group))
  const place = members.findIndex(({ id }) => id === call.person)
  return [...members.slice(place + 1), ...members].find(({ id }) => mayHelp(world, call, id))?.id
}

/** Actions open for hours: one notification for all of them, by one channel, to a person without an open page. */
function openLong(
  open: readonly PendingAlert[],
  now: number,
  { times, node, channelsOf, goneSince, restOf, rulesOf }: Situation,
): Due[] {
  const rings = open.filter((one) => loudnessFor(rulesOf(one.person), one) === 'call')
  return [...gather(rings, ({ person }) => [person])].flatMap(([person, calls]): Due[] => {
    const [channel] = channelsOf(person)
    if (channel === undefined || goneSince(person) === null) return []
    const told = calls.flatMap(({ attempts }) => attempts.filter(({ because }) => because === 'open'))
    const first = Math.min(...calls.map(({ since }) => since)) + times.openMs
    const again = Math.max(0, ...told.map(({ at }) => at + times.openAgainMs))
    const rest = restOf(person, now)
    if (rest.isResting && rest.until === null) return []
    const at = Math.max(first, again, rest.isResting ? (rest.until ?? 0) : 0)
    const items = calls.filter(({ since }) => since + times.openMs <= Math.max(now, at))
    return [
      {
        at,
        command: {
          type: 'attemptNotice',
          person,
          items: items.map(({ task, request }) => ({ task, request })),
          channel,
          because: 'open',
          rung: Math.max(0, ...told.map(({ rung }) => rung)) + 1,
          outcome: 'began',
          until: null,
          node,
        },
      },
    ]
  })
}
