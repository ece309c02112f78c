import { describe, expect, it } from 'vitest'
import {
  type Attention,
  ESCALATION_TIMES,
  type EscalationMemory,
  NO_ALERTS_GIVEN,
  nextEscalation,
  titleMarkOf,
  type WaitingItem,
} from './escalation'

const REPEAT_ALERTS_END_MS = 30 * 60_000

const AVAILABLE = false
const DND = true
const HOUR = 3_600_000
const call = (id: string, since = 0): WaitingItem => ({
  id,
  loudness: 'call',
  isAlerting: false,
  askedAt: since,
  since,
  snoozedUntil: 0,
})
const urgent = (id: string, isAlerting = true): WaitingItem => ({
  id,
  loudness: 'urgent',
  isAlerting,
  askedAt: 0,
  since: 0,
  snoozedUntil: 0,
})
const quiet = (id: string): WaitingItem => ({
  id,
  loudness: 'quiet',
  isAlerting: false,
  askedAt: 0,
  since: 0,
  snoozedUntil: 0,
})
const kinds = (effects: readonly { kind: string }[]): string[] => effects.map(({ kind }) => kind)

/** Look once a second for so long; gives every effect with its second. */
function watch(waiting: readonly WaitingItem[], attention: Attention, forMs: number, isDnd = AVAILABLE) {
  let memory: EscalationMemory = NO_ALERTS_GIVEN
  const seen: { at: number; kind: string }[] = []
  for (let at = 0; at <= forMs; at += 1_000) {
    const step = nextEscalation(memory, waiting, () => attention, isDnd, at)
    memory = step.memory
    seen.push(...step.effects.map(({ kind }) => ({ at: at / 1_000, kind })))
  }
  return { memory, seen }
}

describe('escalation', () => {
  it('an FYI alerts nobody', () => {
    for (const attention of ['away', 'elsewhere', 'atIt'] as const)
      expect(watch([quiet('a')], attention, 5_000).seen).toEqual([])
  })

  it('a mention alerts once: a chime and a desktop notice when away, a toast and a chime elsewhere, nothing at its card', () => {
    expect(kinds(watch([call('a')], 'away', 60_000).seen)).toEqual(['chime', 'desktop'])
    expect(kinds(watch([call('a')], 'elsewhere', 60_000).seen)).toEqual(['toast', 'chime'])
    expect(watch([call('a')], 'atIt', 60_000).seen).toEqual([])
  })

  it('an unseen Urgent sounds the alarm at 0, 20, 40 and 60 seconds, then every five minutes for half an hour', () => {
    const { seen } = watch([urgent('a')], 'away', REPEAT_ALERTS_END_MS + 20 * 60_000)
    expect(seen.filter(({ kind }) => kind === 'alarm').map(({ at }) => at)).toEqual([
      0, 20, 40, 60, 360, 660, 960, 1260, 1560,
    ])
    expect(seen.filter(({ kind }) => kind === 'desktop')).toHaveLength(9)
  })

  it('the alarm repeats as often and as long as the server configures', () => {
    const times = { ...ESCALATION_TIMES, againMs: 120_000, untilMs: 300_000 }
    let memory: EscalationMemory = NO_ALERTS_GIVEN
    const alarms: number[] = []
    for (let at = 0; at <= 600_000; at += 1_000) {
      const step = nextEscalation(memory, [urgent('a')], () => 'away', AVAILABLE, at, times)
      memory = step.memory
      if (kinds(step.effects).includes('alarm')) alarms.push(at / 1_000)
    }
    expect(alarms).toEqual([0, 20, 40, 60, 180, 300])
  })

  it('an Urgent sounds the alarm once while the person is in the app', () => {
    expect(watch([urgent('a')], 'elsewhere', 120_000).seen).toEqual([{ at: 0, kind: 'alarm' }])
    expect(watch([urgent('a')], 'atIt', 120_000).seen).toEqual([{ at: 0, kind: 'alarm' }])
  })

  it('an Urgent escalates further when the person leaves', () => {
    const { memory } = watch([urgent('a')], 'elsewhere', 5_000)
    expect(kinds(nextEscalation(memory, [urgent('a')], () => 'away', AVAILABLE, 21_000).effects)).toEqual([
      'alarm',
      'desktop',
    ])
  })

  it('of several missed alarms only the latest sounds, when the person leaves or the computer wakes', () => {
    let { memory } = watch([urgent('a')], 'elsewhere', 5_000)
    const alarms: number[] = []
    for (let at = 600_000; at <= 700_000; at += 1_000) {
      const step = nextEscalation(memory, [urgent('a')], () => 'away', AVAILABLE, at)
      memory = step.memory
      if (kinds(step.effects).includes('alarm')) alarms.push(at / 1_000)
    }
    expect(alarms).toEqual([600, 660])
  })

  it('an Urgent that was raised again sounds as a new one, in the app too; one whose acknowledgement was undone does not', () => {
    const { memory } = watch([urgent('a')], 'away', 60_000)
    const acknowledged = nextEscalation(memory, [urgent('a', false)], () => 'elsewhere', AVAILABLE, 61_000)
    expect(nextEscalation(acknowledged.memory, [urgent('a')], () => 'elsewhere', AVAILABLE, 62_000).effects).toEqual([])
    const raised = { ...urgent('a'), since: 3_600_000 }
    const again = nextEscalation(acknowledged.memory, [raised], () => 'elsewhere', AVAILABLE, 3_601_000)
    expect(again.effects).toEqual([{ kind: 'alarm', soundIds: ['3600000.1 a'] }])
    expect(nextEscalation(again.memory, [raised], () => 'elsewhere', AVAILABLE, 3_602_000).effects).toEqual([])
    const left = nextEscalation(again.memory, [raised], () => 'away', AVAILABLE, 3_622_000)
    expect(kinds(left.effects)).toEqual(['alarm', 'desktop'])
  })

  it('an Urgent alerts once when the clock of the page is behind that of the server', () => {
    const early = { ...urgent('a'), since: 5_000 }
    const { memory, effects } = nextEscalation(NO_ALERTS_GIVEN, [early], () => 'elsewhere', AVAILABLE, 1_000)
    expect(kinds(effects)).toEqual(['alarm'])
    expect(nextEscalation(memory, [early], () => 'elsewhere', AVAILABLE, 2_000).effects).toEqual([])
  })

  it('several alerts make one sound, the alarm before the chime', () => {
    const { effects } = nextEscalation(
      NO_ALERTS_GIVEN,
      [call('a'), urgent('b'), urgent('c')],
      () => 'away',
      AVAILABLE,
      1,
    )
    expect(kinds(effects).filter((kind) => kind === 'alarm' || kind === 'chime')).toEqual(['alarm'])
  })

  it('the sound of many alerts names its Urgents first: the server takes so many only', () => {
    const { effects } = nextEscalation(NO_ALERTS_GIVEN, [call('a'), urgent('b')], () => 'elsewhere', AVAILABLE, 1)
    expect(effects.filter(({ kind }) => kind === 'alarm')).toEqual([{ kind: 'alarm', soundIds: ['0.1 b', '0.0 a'] }])
  })

  it('do-not-disturb silences alerts, and they are not repeated afterwards', () => {
    const { memory, seen } = watch([call('a'), urgent('b')], 'away', 120_000, DND)
    expect(seen).toEqual([])
    expect(kinds(nextEscalation(memory, [call('a'), urgent('b')], () => 'away', AVAILABLE, 121_000).effects)).toEqual(
      [],
    )
  })

  it('a desktop notice closes when its item is handled or acknowledged', () => {
    const { memory } = watch([call('a'), urgent('b')], 'away', 1_000)
    expect(nextEscalation(memory, [urgent('b', false)], () => 'elsewhere', AVAILABLE, 2_000).effects).toEqual([
      { kind: 'close', id: 'b' },
      { kind: 'close', id: 'a' },
    ])
  })

  it('a reload repeats no alert', () => {
    const { memory } = watch([call('a'), urgent('b')], 'elsewhere', 1_000)
    const kept = JSON.parse(JSON.stringify(memory)) as EscalationMemory
    expect(nextEscalation(kept, [call('a'), urgent('b')], () => 'elsewhere', AVAILABLE, 2_000).effects).toEqual([])
  })

  it('Actions open for four hours are reminded of once a day, only while the person is away', () => {
    const old = [call('a'), call('b')]
    const { memory } = nextEscalation(NO_ALERTS_GIVEN, old, () => 'away', AVAILABLE, 1)
    expect(kinds(nextEscalation(memory, old, () => 'elsewhere', AVAILABLE, 5 * HOUR).effects)).toEqual([])
    const first = nextEscalation(memory, old, () => 'away', AVAILABLE, 30 * HOUR)
    expect(first.effects).toEqual([{ kind: 'remind', count: 2 }])
    expect(nextEscalation(first.memory, old, () => 'away', AVAILABLE, 40 * HOUR).effects).toEqual([])
    expect(kinds(nextEscalation(first.memory, old, () => 'away', AVAILABLE, 55 * HOUR).effects)).toEqual(['remind'])
  })

  it('messages among agents alert nobody', () => {
    expect(watch([], 'away', 10_000).seen).toEqual([])
  })
})

describe('the mark on the window', () => {
  it('the window’s mark is red during an Urgent, a number while away, and nothing in the app', () => {
    expect(titleMarkOf([urgent('a'), call('b')], false)).toEqual({ title: '🚨', icon: 'urgent' })
    expect(titleMarkOf([call('a'), call('b'), quiet('c')], true)).toEqual({ title: '(2)', icon: 'dot' })
    expect(titleMarkOf([call('a')], false)).toEqual({ title: '', icon: 'plain' })
    expect(titleMarkOf([quiet('a')], true)).toEqual({ title: '', icon: 'plain' })
  })
})
