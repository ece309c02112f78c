import { describe, expect, it } from 'vitest'
import { RINGS } from '@/lib/mas/asks/rings'
import {
  type AttentionInput,
  type AttentionMemory,
  firstAttention,
  nextAttention,
  type Press,
  type ShownAlerts,
} from './attention'
import type { Effect, WaitingItem } from './escalation'
import type { TabState } from './tabs'

const START = 1_000_000
const SECOND = 1_000
const FAR = START + 3_600_000

const TYPES = ['urgent', 'action', 'mention', 'fyi'] as const
const DND = ['off', 'on', 'muted'] as const
const PLACES = ['away', 'elsewhere', 'other tab', 'strip', 'card'] as const
const YES_NO = [true, false] as const
type Cell = {
  type: (typeof TYPES)[number]
  /** on: Urgents break through; muted: they do not. */
  dnd: (typeof DND)[number]
  isSnoozed: boolean
  isFolded: boolean
  isPressed: boolean
  place: (typeof PLACES)[number]
}
const CELLS: Cell[] = TYPES.flatMap((type) =>
  DND.flatMap((dnd) =>
    YES_NO.flatMap((isSnoozed) =>
      YES_NO.flatMap((isFolded) =>
        YES_NO.flatMap((isPressed) => PLACES.map((place) => ({ type, dnd, isSnoozed, isFolded, isPressed, place }))),
      ),
    ),
  ),
)

/** The bar and the dialog of an Urgent. pressed: Show on the bar. */
const BAR_AND_DIALOG = `
  dnd     snoozed  folded  pressed | away    elsewhere  other-tab  strip   card
  *       *        *       yes     | dialog  dialog     dialog     dialog  dialog
  *       *        yes     no      | bar     bar        bar        bar     bar
  *       yes      no      no      | bar     bar        bar        bar     bar
  muted   no       no      no      | bar     bar        bar        bar     bar
  off     no       no      no      | dialog  dialog     dialog     none    none
  on      no       no      no      | dialog  dialog     dialog     none    none
`
/** What happens once when it comes, and the title of the window. The rest of the cell changes nothing of it. */
const ONCE = `
  type     dnd    | away                    elsewhere       other-tab    strip        card
  urgent   off    | alarm+desktop+shout+🚨  alarm+shout+🚨  alarm+shout+🚨  alarm+shout+🚨  alarm+shout+🚨
  urgent   on     | shout+🚨                shout+🚨        shout+🚨     shout+🚨     shout+🚨
  urgent   muted  | shout+🚨                shout+🚨        shout+🚨     shout+🚨     shout+🚨
  action   off    | chime+desktop+say+(1)   toast+chime+say say          say          say
  action   on     | say+(1)                 say             say          say          say
  action   muted  | say+(1)                 say             say          say          say
  mention  off    | chime+desktop+say+(1)   toast+chime+say say          say          say
  mention  on     | say+(1)                 say             say          say          say
  mention  muted  | say+(1)                 say             say          say          say
  fyi      *      | say                     say             say          say          say
`

/** The one row of a table that holds for these values, at this place. */
function rowOf(table: string, values: readonly string[], place: Cell['place']): string {
  const rows = table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('|').map((half) => half.trim().split(/\s+/)))
    .filter(([keys = []]) => keys.every((key, at) => key === '*' || key === values[at]))
  const [, outcomes] = rows[0] ?? []
  const outcome = outcomes?.[PLACES.indexOf(place)]
  if (rows.length !== 1 || outcome === undefined) throw new Error(`${rows.length} rows for ${values.join(' ')}`)
  return outcome
}
const word = (is: boolean): string => (is ? 'yes' : 'no')
const expectedOf = ({ type, dnd, isSnoozed, isFolded, isPressed, place }: Cell) => ({
  urgent:
    type === 'urgent' ? rowOf(BAR_AND_DIALOG, [dnd, word(isSnoozed), word(isFolded), word(isPressed)], place) : 'none',
  once: rowOf(ONCE, [type, dnd], place),
})

const itemOf = (type: Cell['type'], change: Partial<WaitingItem> = {}): WaitingItem => ({
  id: 'a',
  loudness: RINGS[type],
  isAlerting: type === 'urgent',
  askedAt: START,
  since: START,
  snoozedUntil: 0,
  ...change,
})
type Seen = Exclude<ReturnType<AttentionInput['sightOf']>, 'pending' | null>
const sight = (change: Partial<Seen> = {}): Seen => ({
  kind: 'card',
  isHalf: true,
  since: START,
  scrolledAt: 0,
  hasFocus: false,
  ...change,
})
const tab = (isActive: boolean, onScreen: string[] = []): TabState => ({ isActive, onScreen })

const PAGE = {
  lastInputAt: 0,
  lastMenuAt: 0,
  isBeingDrawn: false,
  lastActiveAt: START,
  openedAt: START,
  isToastThere: false,
}
const pageWith = (change: Partial<typeof PAGE>): typeof PAGE => ({ ...PAGE, ...change })

function inputOf(items: readonly WaitingItem[], change: Partial<AttentionInput> = {}): AttentionInput {
  const here = tab(true)
  return {
    now: START,
    pageNow: START,
    items,
    isReady: true,
    sightOf: () => null,
    isPinned: () => false,
    page: PAGE,
    tabs: { isLeader: true, here, all: [here] },
    dnd: { isResting: false, lets: true },
    ...change,
  }
}

function inputAt(place: Cell['place'], items: readonly WaitingItem[]): AttentionInput {
  const isHere = place === 'strip' || place === 'card'
  const here = tab(place !== 'away' && place !== 'other tab', isHere ? ['a'] : [])
  const others = place === 'other tab' ? [tab(true, ['a'])] : []
  return inputOf(items, {
    sightOf: () => (isHere ? sight({ kind: place }) : null),
    tabs: { isLeader: true, here, all: [here, ...others] },
  })
}

/** Steps once a second, with the same input; press: after the first. out: all effects, and what is shown at the end */
function run(before: AttentionMemory, input: AttentionInput, seconds: number, press: Press | null = null) {
  let memory = before
  let shown: ShownAlerts | null = null
  const effects: Effect[] = []
  for (let at = 0; at <= seconds; at++) {
    const step = nextAttention(
      memory,
      { ...input, now: input.now + at * SECOND, pageNow: input.now + at * SECOND },
      at === 1 ? press : null,
    )
    memory = step.memory
    shown = step.shown
    effects.push(...step.effects)
  }
  if (shown === null) throw new Error('no step')
  return { memory, shown, effects }
}

const known = (folded: string[] = []): AttentionMemory => run(firstAttention(folded), inputOf([]), 0).memory

const wordOf = (effect: Effect): string =>
  effect.kind === 'announce' ? (effect.isUrgent ? 'shout' : 'say') : effect.kind
const urgentOf = ({ dialog, hasBar }: ShownAlerts): string =>
  dialog !== null && hasBar ? 'both' : dialog !== null ? 'dialog' : hasBar ? 'bar' : 'none'

describe('what waits, in every state of the page', () => {
  it.each(CELLS.map((cell) => ({ ...cell, ...expectedOf(cell) })))(
    '[R702] [R425] $type, do not disturb $dnd, snoozed $isSnoozed, folded $isFolded, Show pressed $isPressed, $place: $urgent, $once',
    ({ urgent, once, ...cell }) => {
      const item = itemOf(cell.type, { snoozedUntil: cell.isSnoozed ? FAR : 0 })
      const input: AttentionInput = {
        ...inputAt(cell.place, [item]),
        dnd: { isResting: cell.dnd !== 'off', lets: cell.dnd !== 'muted' },
      }
      const press: Press | null = cell.isPressed ? { do: 'show', item: 'a' } : null
      const { shown, effects } = run(known(cell.isFolded ? [`a ${START}`] : []), input, 3, press)
      const came = [...effects.map(wordOf), shown.title].filter((one) => one !== '').join('+')
      expect({ urgent: cell.type === 'urgent' ? urgentOf(shown) : 'none', once: came }).toEqual({ urgent, once })
    },
  )
})

describe('the dialog and the bar of an Urgent', () => {
  const urgent = (id: string, change: Partial<WaitingItem> = {}) => itemOf('urgent', { id, ...change })

  it('folding puts every Urgent that alerts into the bar, and one that comes later still gets its dialog', () => {
    const two = inputOf([urgent('a'), urgent('b')])
    const folded = run(known(), two, 3, { do: 'fold' })
    expect(urgentOf(folded.shown)).toBe('bar')
    const third = run(folded.memory, inputOf([...two.items, urgent('c')], { now: START + 10 * SECOND }), 2)
    expect(third.shown).toMatchObject({ dialog: 'c', hasBar: false })
  })

  it('a folded Urgent that is raised again gets its dialog again', () => {
    const folded = run(known(), inputOf([urgent('a')]), 3, { do: 'fold' })
    const raised = urgent('a', { since: START + 9 * SECOND })
    expect(run(folded.memory, inputOf([raised], { now: START + 10 * SECOND }), 2).shown.dialog).toBe('a')
  })

  it('a reminder for later hides the dialog at once, and until its time as the row has it by then', () => {
    const until = START + 301 * SECOND
    const snoozed = run(known(), inputOf([urgent('a')]), 3, { do: 'snooze', item: 'a', minutes: 5 })
    expect(urgentOf(snoozed.shown)).toBe('bar')
    const row = urgent('a', { snoozedUntil: until })
    const later = run(snoozed.memory, inputOf([row], { now: until - 2 * SECOND }), 1)
    expect(urgentOf(later.shown)).toBe('bar')
    expect(run(later.memory, inputOf([row], { now: until }), 1).shown.dialog).toBe('a')
    // Its reader ended it early: the row says so, and counts.
    expect(run(later.memory, inputOf([urgent('a')], { now: START + 20 * SECOND }), 1).shown.dialog).toBe('a')
  })

  it('no dialog comes while the browser has not said whether the card in the page is on screen', () => {
    const pending = inputOf([urgent('a')], { sightOf: () => 'pending' })
    const { memory, shown } = run(known(), pending, 60)
    expect(urgentOf(shown)).toBe('none')
    expect(run(memory, { ...pending, now: START + 61 * SECOND, sightOf: () => null }, 1).shown.dialog).toBe('a')
  })

  it('[R238] [R426] a strip brings the dialog after twenty seconds without a move, a scrolled or focused card never', () => {
    const at = (change: Partial<Seen>, lastActiveAt = START, isPinned = false): AttentionInput => ({
      ...inputOf([urgent('a')], { sightOf: () => sight(change), isPinned: () => isPinned }),
      page: pageWith({ lastActiveAt }),
    })
    const strip = { kind: 'strip' } as const
    const endsAs = (input: AttentionInput, seconds: number): string => urgentOf(run(known(), input, seconds).shown)
    expect(endsAs(at(strip), 19)).toBe('none')
    expect(endsAs(at(strip), 20)).toBe('dialog')
    expect(endsAs(at(strip, START + 5 * SECOND), 24)).toBe('none')
    expect(endsAs(at({ ...strip, scrolledAt: START + 5 * SECOND }), 24)).toBe('none')
    expect(endsAs(at({ ...strip, hasFocus: true }), 900)).toBe('none')
    expect(endsAs(at(strip, START, true), 900)).toBe('none')
    expect(endsAs(at({ isHalf: false }), 20)).toBe('dialog')
    expect(endsAs(at({}), 900)).toBe('none')
  })

  it('[R426] no dialog covers the card that is read, and that of another one still comes', () => {
    const two = inputOf([urgent('a'), urgent('b')], { sightOf: (id) => (id === 'a' ? sight() : null) })
    expect(run(known(), two, 900).shown.dialog).toBe('b')
  })

  it('of several Urgents the oldest has the dialog, and an open dialog stays when an older one comes or somebody types', () => {
    const two = [urgent('new'), urgent('old', { askedAt: START - 9 * SECOND })]
    expect(run(known(), inputOf(two), 1).shown.dialog).toBe('old')
    const { memory } = run(known(), inputOf([urgent('new')]), 1)
    const typing = inputOf(two, { page: pageWith({ lastInputAt: START + 3 * SECOND }), now: START + 3 * SECOND })
    expect(run(memory, typing, 1).shown.dialog).toBe('new')
    expect(run(memory, inputOf([urgent('b')], { now: START + 3 * SECOND }), 1).shown.dialog).toBe('b')
    expect(urgentOf(run(memory, inputOf([], { now: START + 3 * SECOND }), 1).shown)).toBe('none')
  })

  it('no dialog comes over a page that is about to show the card, unless that page never does', () => {
    const drawn = inputOf([urgent('a')], { page: pageWith({ isBeingDrawn: true }) })
    expect(urgentOf(run(known(), drawn, 14).shown)).toBe('none')
    expect(urgentOf(run(known(), drawn, 15).shown)).toBe('dialog')
    expect(urgentOf(run(known(), inputOf([urgent('a')]), 0).shown)).toBe('none')
  })

  it.each(['lastInputAt', 'lastMenuAt'] as const)(
    '[R222] no dialog opens over typing or an open menu: the bar shows until three seconds of pause, fifteen at most (%s)',
    (what) => {
      const used = (at: number) => inputOf([urgent('a')], { page: pageWith({ [what]: at }) })
      expect(urgentOf(run(known(), used(START), 2).shown)).toBe('bar')
      expect(urgentOf(run(known(), used(START), 3).shown)).toBe('dialog')
      expect(urgentOf(run(known(), used(START + 99 * SECOND), 14).shown)).toBe('bar')
      expect(urgentOf(run(known(), used(START + 99 * SECOND), 15).shown)).toBe('dialog')
    },
  )

  it('a dialog that came by itself goes to the bar when do not disturb begins, and one that was asked for stays', () => {
    const muted = inputOf([urgent('a')], { now: START + 5 * SECOND, dnd: { isResting: true, lets: false } })
    const came = run(known(), inputOf([urgent('a')]), 2)
    expect(urgentOf(run(came.memory, muted, 1).shown)).toBe('bar')
    const asked = run(known(), inputOf([urgent('a')]), 2, { do: 'show', item: 'a' })
    expect(urgentOf(run(asked.memory, muted, 1).shown)).toBe('dialog')
  })
})

describe('what happens once', () => {
  const action = (id: string, since = START) => itemOf('action', { id, since, askedAt: since })
  const kinds = (effects: readonly Effect[]): string[] => effects.map(({ kind }) => kind)

  it('nothing happens until the page is ready, and an Urgent shows at once', () => {
    const early = inputOf([itemOf('urgent')], { isReady: false })
    const { effects, memory, shown } = run(firstAttention(), early, 2)
    expect([effects, shown.dialog]).toEqual([[], 'a'])
    expect([...nextAttention(memory, early).mayRing]).toEqual([])
    // Rows that were not there yet are no rows that are gone.
    const told = run(firstAttention(), inputOf([itemOf('urgent')]), 1).memory.alerts
    const none = run(firstAttention([], told), inputOf([], { isReady: false }), 2)
    expect(none.memory.alerts).toEqual(told)
    expect(kinds(run(memory, inputOf([itemOf('urgent')], { now: START + 3 * SECOND }), 1).effects)).toEqual(['alarm'])
  })

  it('what the page opens with is neither announced nor told of in a toast', () => {
    const old = action('a', START - 60 * SECOND)
    const first = run(firstAttention(), inputOf([old]), 2)
    expect(first.effects).toEqual([])
    expect(kinds(run(first.memory, inputOf([old, action('b')], { now: START + 3 * SECOND }), 2).effects)).toEqual([
      'toast',
      'chime',
      'announce',
    ])
  })

  it('a toast closes when its card comes into view or its item is settled', () => {
    const { memory } = run(known(), inputOf([action('a'), action('b')]), 1)
    const here = tab(true, ['a'])
    const seen = inputOf([action('a'), action('b')], {
      now: START + 2 * SECOND,
      tabs: { isLeader: true, here, all: [here] },
    })
    const first = run(memory, seen, 0)
    expect(first.effects).toEqual([{ kind: 'closeToast', id: 'a' }])
    expect(run(first.memory, { ...seen, items: [action('a')] }, 2).effects).toEqual([{ kind: 'closeToast', id: 'b' }])
  })

  it('many items at once are one toast', () => {
    const many = ['a', 'b', 'c', 'd'].map((id) => action(id))
    const { effects, memory } = run(known(), inputOf(many), 1)
    expect(effects.filter(({ kind }) => kind === 'toast' || kind === 'crowd')).toEqual([{ kind: 'crowd', count: 4 }])
    expect(kinds(run(memory, inputOf([], { now: START + 2 * SECOND }), 1).effects)).toEqual([])
  })

  it('a tab that is not looked at shows no toast, and one that does not lead no desktop notice', () => {
    const looked = tab(true)
    const hidden = inputOf([action('a')], { tabs: { isLeader: true, here: tab(false), all: [tab(false), looked] } })
    expect(kinds(run(known(), hidden, 1).effects)).toEqual(['chime', 'announce'])
    const away = inputOf([action('a')], { tabs: { isLeader: false, here: tab(false), all: [tab(false)] } })
    expect(kinds(run(known(), away, 1).effects)).toEqual(['chime', 'announce'])
  })

  it('a pending sound may be played while its item rings, not at its card, and never during do not disturb', () => {
    const mayRing = (input: AttentionInput): string[] => [...nextAttention(known(), input).mayRing]
    const items = [itemOf('urgent'), action('b'), itemOf('fyi', { id: 'c' })]
    expect(mayRing(inputOf(items))).toEqual(['a', 'b'])
    const here = tab(true, ['a', 'b'])
    expect(mayRing(inputOf(items, { tabs: { isLeader: true, here, all: [here] } }))).toEqual(['a'])
    expect(mayRing(inputOf([itemOf('urgent', { isAlerting: false })]))).toEqual([])
    expect(mayRing(inputOf(items, { dnd: { isResting: true, lets: true } }))).toEqual([])
  })

  it('desktop notices are offered after the first Urgent or Action was dealt with, when its toast has gone', () => {
    const { memory } = run(known(), inputOf([action('a'), itemOf('fyi', { id: 'c' })]), 1)
    expect(run(memory, inputOf([action('a')], { now: START + 2 * SECOND }), 9).shown.isHandled).toBe(false)
    const gone = inputOf([], { now: START + 2 * SECOND })
    expect(run(memory, gone, 2).shown.isHandled).toBe(false)
    const covered = { ...gone, page: pageWith({ isToastThere: true }) }
    const after = run(memory, covered, 9)
    expect(after.shown.isHandled).toBe(false)
    expect(run(after.memory, { ...gone, now: START + 12 * SECOND }, 0).shown.isHandled).toBe(true)
  })

  it('the title names the sender of what alerts', () => {
    expect(run(known(), inputOf([action('b'), itemOf('urgent')]), 0).shown.titleItem).toBe('a')
    expect(run(known(), inputOf([action('b')]), 0).shown.titleItem).toBeNull()
  })
})
