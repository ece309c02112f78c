import type { AgentId } from '@/lib/mas/ids'
import type { OwnChannel } from '@/lib/mas/records'
import type { PushSubscription } from '@/lib/wire'
import type { Config } from '../config'
import { createTimers } from '../engine/duties/timers'
import type { Engine } from '../engine/port'
import type { Nodes } from '../nodes'
import type { Schedule } from '../shared/later'
import type { People } from '../store'
import { openChannels } from './channels'
import { type NoteParts, testNote } from './notes'
import { openPeople } from './people'
import { planNotices } from './plan'
import { openSending } from './sending'

type NotifyParts = {
  engine: Engine
  people: People
  config: Pick<Config, 'notify' | 'humans' | 'secret'>
  /** Public address of this console, without a trailing slash. */
  address: () => string
  now: () => number
  newId: () => string
  schedule: Schedule
  log: { warn(data: object, message: string): void; error(data: object, message: string): void }
  /** Other nodes, which cache rows of people too. Absent, null: there are none. */
  nodes?: Pick<Nodes, 'tell' | 'onNote'> | null
}

/** Pages reconnect within this time after a restart; until then every person counts as present. */
export const RETURN_MS = 10_000

/** Loads settings and browsers of all people, then notifies. Rejects with errors of the store. */
export async function openNotify(parts: NotifyParts) {
  const { engine, config, now, newId, schedule, log } = parts
  const { notify, humans } = config
  const backBy = now() + RETURN_MS
  /** Since when a person has no open page; null: one is open. People who do not return after a start count as gone then. */
  const gone = new Map<AgentId, number | null>()
  const settings = await openPeople(
    parts.people,
    humans.map(({ agent }) => agent.id),
  )
  const channels = openChannels(config, settings, now)
  const wordsFor = (person: AgentId): NoteParts => ({
    address: parts.address(),
    language: settings.languageOf(person) ?? engine.world().team.language,
    isSilent: settings.restOf(person, now()).isResting,
  })
  const onMistake = (error: unknown, what: string): void =>
    log.error({ err: error, what }, 'unexpected error while sending a notice')

  const sending = openSending({
    node: engine.node,
    world: () => engine.world(),
    commit: (envelope) => engine.commit(envelope),
    newId,
    schedule,
    senders: channels.senders,
    closePush: channels.closePush,
    wordsFor,
    onMistake,
  })
  const timers = createTimers({
    due: (world, at) =>
      !engine.leads()
        ? []
        : planNotices(world, at, {
            node: engine.node,
            times: notify.times,
            escalation: notify.escalation,
            channelsOf: channels.readyFor,
            goneSince: (person) => {
              const since = gone.get(person)
              return since === undefined ? backBy : since
            },
            restOf: settings.restOf,
            rulesOf: settings.rulesOf,
          }),
    world: () => engine.world(),
    commit: (envelope) => engine.commit(envelope),
    now,
    schedule,
    onMistake,
  })

  const readAgain = (person: AgentId): void => {
    settings.readAgain(person).then(
      () => timers.onEntries(),
      (error) => onMistake(error, 'reading settings'),
    )
  }
  /** A person's rows have changed at this node. */
  const changed = (person: AgentId): void => parts.nodes?.tell({ is: 'person', person })

  const stopHearing = [
    ...(parts.nodes ? [parts.nodes.onNote((note) => void (note.is === 'person' && readAgain(note.person)))] : []),
    engine.onLead((leads) => {
      if (leads) sending.recover()
      timers.onEntries()
    }),
    engine.onDecision((entries, world) => {
      if (engine.leads()) sending.onEntries(entries, world)
      timers.onEntries()
    }),
    engine.onEphemeral((note) => {
      if (note.kind !== 'presence') return
      const isGone = note.presence.state === 'offline'
      if (isGone && gone.get(note.person) === null) gone.set(note.person, now())
      if (!isGone) gone.set(note.person, null)
      timers.onEntries()
    }),
  ]
  if (engine.leads()) sending.recover()
  timers.look()

  const { againMs, untilMs, openMs, openAgainMs } = notify.times
  return {
    ladder: { againMs, untilMs, openMs, openAgainMs },
    channelsOf: channels.stateFor,
    async subscribe(person: AgentId, subscription: PushSubscription) {
      const { id } = await settings.addBrowser(person, subscription)
      timers.onEntries()
      changed(person)
      return { id }
    },
    async unsubscribe(person: AgentId, id: string) {
      await settings.dropBrowser(person, id)
      changed(person)
    },
    async test(person: AgentId, channel: OwnChannel, browser: string | null) {
      const { address, language } = wordsFor(person)
      const who = { id: person, name: engine.world().agents[person]?.name ?? '' }
      const note = testNote(newId(), who, language, `${address}/settings/notifications`)
      const sent = await channels.sendTest(channel, browser, note)
      if (!sent.ok) log.warn({ person, channel, why: sent.why }, 'a test notice could not be sent')
      return { ok: sent.ok, words: sent.ok ? '' : sent.why, hint: null }
    },
    settingsChanged(person: AgentId) {
      readAgain(person)
      changed(person)
    },
    stop() {
      for (const stop of stopHearing) stop()
      timers.stop()
      sending.stop()
    },
  }
}

export type Notify = Awaited<ReturnType<typeof openNotify>>

export { PUSH_KEYS } from './people'
