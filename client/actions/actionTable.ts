/**
 * The table of actions. The keyboard, menus, buttons, the palette, help and “Own keys” read it.
 *
 * A row says what never changes. What an action does, and whether it can be done now, is bound where its state is: useAction.
 */
import {
  AlarmClock,
  Bot,
  ChartColumn,
  ChartGantt,
  Check,
  CircleX,
  Files,
  Globe,
  History,
  Hourglass,
  Inbox,
  Layers,
  Link2,
  ListTree,
  type LucideIcon,
  MailOpen,
  MessagesSquare,
  Search,
  Settings,
  UserRoundPlus,
  Wrench,
} from 'lucide-react'
import type { useTranslations } from 'use-intl'
import type { MessageCatalogue } from '@/lib/i18n/messages'
import { keysOf } from '@/lib/json'
import type { ScreenName } from '@/lib/wire/addresses'
import type { Chord } from './chords'

/** Chat and tree of a task stand side by side where there is room. */
const CHAT_AND_TREE = ['task', 'message', 'tree', 'stage', 'step'] as const satisfies readonly ScreenName[]
const OF_TASK = [...CHAT_AND_TREE, 'timeline', 'taskWaits'] as const satisfies readonly ScreenName[]

/** Where an action holds: a part of the page, with the screens that can have it. Two parts of one screen can be there at once. */
const PLACES = {
  /** The frame. Its actions give way to those of the screen. */
  page: 'any',
  table: 'any',
  filter: 'any',
  inbox: ['inbox'],
  cards: ['request', 'talk', ...CHAT_AND_TREE],
  conversation: ['talk', ...CHAT_AND_TREE],
  task: OF_TASK,
  tree: CHAT_AND_TREE,
  timeline: ['timeline'],
  moment: OF_TASK,
  agent: ['agent'],
  search: ['search'],
} as const satisfies Record<string, 'any' | readonly ScreenName[]>

export type ActionPlace = keyof typeof PLACES
type ScreenOf<Place extends ActionPlace> = Place extends ActionPlace
  ? (typeof PLACES)[Place] extends readonly (infer Name)[]
    ? Name
    : ScreenName
  : never

/** A text of the first messages: those of LATER (messages/forPages.mjs) may not be there yet. */
type Words = Parameters<ReturnType<typeof useTranslations<never>>>[0]

type ActionRow = {
  /** The key that everybody has. */
  key: Chord
  at: readonly ActionPlace[]
  words: Words
  /** Where it is called otherwise. */
  wordsAt?: Partial<Record<ActionPlace, Words>>
} & (
  | { icon?: LucideIcon; palette?: undefined }
  /** It is a command of the palette while it can be done. */
  | { icon: LucideIcon; palette: { group: 'here' | 'go'; words: Words } }
)

type Rows = Record<string, ActionRow>
/** The other actions with the same key that can be on a screen together with this one. */
type Clash<All extends Rows, Id extends keyof All> = {
  [Other in Exclude<keyof All, Id>]: All[Other]['key'] extends All[Id]['key']
    ? [ScreenOf<All[Other]['at'][number]> & ScreenOf<All[Id]['at'][number]>] extends [never]
      ? never
      : Other
    : never
}[Exclude<keyof All, Id>]
type WithoutClash<All extends Rows> = {
  [Id in keyof All]: [Clash<All, Id>] extends [never] ? unknown : { key: `${All[Id]['key']} is the key of ${string}` }
}

/** Does not compile when two actions have one key in one place. */
export const defineActions = <const All extends Rows>(rows: All & WithoutClash<All>): All => rows

export type RailScreen = keyof MessageCatalogue['keys']['go']

/** A screen of the navigation. */
const toScreen = <const Key extends Chord, const Screen extends RailScreen>(
  key: Key,
  screen: Screen,
  icon: LucideIcon,
) =>
  ({ key, at: ['page'], words: `keys.go.${screen}`, icon, palette: { group: 'go', words: `shell.${screen}` } }) as const

export const ACTIONS = defineActions({
  help: { key: '?', at: ['page'], words: 'keys.all.help' },
  palette: { key: 'Mod+k', at: ['page'], words: 'keys.palette', icon: Search },
  search: {
    key: '/',
    at: ['page', 'filter', 'conversation', 'search'],
    words: 'keys.all.search',
    wordsAt: { page: 'keys.search' },
    icon: Search,
  },
  next: { key: 'n', at: ['page'], words: 'keys.all.next' },
  previous: { key: 'Shift+n', at: ['page'], words: 'keys.all.previous' },
  nextRow: {
    key: 'j',
    at: ['table', 'inbox', 'cards', 'search', 'tree', 'timeline'],
    words: 'keys.all.nextRow',
    wordsAt: { table: 'keys.nextRow', inbox: 'request.key.next', cards: 'request.key.next', search: 'keys.nextResult' },
  },
  previousRow: {
    key: 'k',
    at: ['table', 'inbox', 'cards', 'search', 'tree', 'timeline'],
    words: 'keys.all.previousRow',
    wordsAt: {
      table: 'keys.previousRow',
      inbox: 'request.key.previous',
      cards: 'request.key.previous',
      search: 'keys.previousResult',
    },
  },
  list: { key: '[', at: ['page'], words: 'keys.all.list' },
  inspector: { key: ']', at: ['page'], words: 'keys.all.inspector' },
  reply: { key: 'r', at: ['inbox', 'cards'], words: 'keys.all.reply' },
  acknowledge: { key: 'a', at: ['inbox', 'cards'], words: 'keys.all.acknowledge' },
  // It only moves the focus there: approving takes a second press.
  approve: { key: 'Shift+a', at: ['inbox', 'cards'], words: 'keys.all.approve' },
  done: { key: 'd', at: ['cards'], words: 'keys.all.done' },
  // In the inbox, where most of what is done is read and left: the usual key of lists that are worked off.
  settle: { key: 'e', at: ['inbox'], words: 'keys.all.settle', wordsAt: { inbox: 'keys.settle' }, icon: Check },
  handOver: {
    key: 'h',
    at: ['inbox'],
    words: 'keys.all.handOver',
    wordsAt: { inbox: 'keys.handOver' },
    icon: UserRoundPlus,
  },
  snooze: {
    key: 'Shift+h',
    at: ['inbox'],
    words: 'keys.all.snooze',
    wordsAt: { inbox: 'keys.snooze' },
    icon: AlarmClock,
  },
  compose: { key: 'c', at: ['conversation'], words: 'keys.all.compose' },
  fold: {
    key: 'x',
    at: ['inbox', 'conversation'],
    words: 'keys.all.fold',
    wordsAt: { inbox: 'request.key.fold' },
  },
  copyLink: {
    key: 'y',
    at: ['page', 'cards'],
    words: 'keys.all.copyLink',
    wordsAt: { page: 'keys.copyLink' },
    icon: Link2,
  },
  deliveries: { key: 'Shift+r', at: ['cards'], words: 'keys.all.deliveries' },
  unread: { key: 'Shift+u', at: ['cards'], words: 'keys.all.unread', icon: MailOpen },
  chat: {
    key: '1',
    at: ['task'],
    words: 'keys.all.chat',
    wordsAt: { task: 'chat.chat' },
    palette: { group: 'here', words: 'chat.chat' },
    icon: MessagesSquare,
  },
  tree: {
    key: '2',
    at: ['task'],
    words: 'keys.all.tree',
    wordsAt: { task: 'chat.tree' },
    palette: { group: 'here', words: 'chat.tree' },
    icon: ListTree,
  },
  timeline: {
    key: '3',
    at: ['task'],
    words: 'keys.all.timeline',
    wordsAt: { task: 'chat.timeline' },
    palette: { group: 'here', words: 'keys.all.timeline' },
    icon: ChartGantt,
  },
  waits: {
    key: '4',
    at: ['task'],
    words: 'keys.all.waits',
    wordsAt: { task: 'chat.waits' },
    palette: { group: 'here', words: 'keys.all.waits' },
    icon: Hourglass,
  },
  follow: { key: 'f', at: ['tree', 'timeline'], words: 'keys.all.follow' },
  nextError: { key: 'e', at: ['tree'], words: 'keys.all.nextError', icon: CircleX },
  previousError: { key: 'Shift+e', at: ['tree'], words: 'keys.all.previousError' },
  nextWait: { key: 'w', at: ['tree'], words: 'keys.all.nextWait', icon: Hourglass },
  previousWait: { key: 'Shift+w', at: ['tree'], words: 'keys.all.previousWait' },
  pause: { key: 'p', at: ['task', 'agent'], words: 'keys.all.pause', wordsAt: { task: 'operate.key.pause' } },
  moment: { key: 't', at: ['task'], words: 'keys.all.moment', icon: History },
  previousChange: { key: ',', at: ['moment'], words: 'keys.all.previousChange' },
  nextChange: { key: '.', at: ['moment'], words: 'keys.all.nextChange' },
  play: { key: ' ', at: ['moment'], words: 'keys.play' },
  nextPane: { key: 'F6', at: ['page'], words: 'keys.nextPane' },
  previousPane: { key: 'Shift+F6', at: ['page'], words: 'keys.previousPane' },
  escape: { key: 'Escape', at: ['page'], words: 'keys.escape' },
  // The list of toasts listens to it itself.
  toasts: { key: 'Alt+t', at: ['page'], words: 'keys.toast' },
  'go.inbox': toScreen('g i', 'inbox', Inbox),
  'go.tasks': toScreen('g t', 'tasks', Layers),
  'go.direct': toScreen('g d', 'direct', MessagesSquare),
  'go.agents': toScreen('g a', 'agents', Bot),
  'go.waits': toScreen('g w', 'waits', Hourglass),
  'go.files': toScreen('g f', 'files', Files),
  'go.tools': toScreen('g o', 'tools', Wrench),
  'go.numbers': toScreen('g n', 'numbers', ChartColumn),
  'go.directory': toScreen('g x', 'directory', Globe),
  'go.settings': toScreen('g s', 'settings', Settings),
})

export type ActionId = keyof typeof ACTIONS
/** Where an action holds. */
export type PlaceOf<Id extends ActionId> = (typeof ACTIONS)[Id]['at'][number]

/** In the order of the table of keys. */
export const ACTION_IDS = keysOf(ACTIONS)

export const actionRow = (id: ActionId): ActionRow => ACTIONS[id]

/** Whether two actions can be on a screen together, so that they cannot have one key. */
export const canMeet = (one: ActionId, other: ActionId): boolean =>
  actionRow(one).at.some((place) => actionRow(other).at.some((another) => isBeside(place, another)))

/** Whether a screen can have both places. */
export function isBeside(one: ActionPlace, other: ActionPlace): boolean {
  const screens: 'any' | readonly ScreenName[] = PLACES[one]
  const others: 'any' | readonly ScreenName[] = PLACES[other]
  return screens === 'any' || others === 'any' || screens.some((screen) => others.includes(screen))
}

/** What an action is called at a place; null: in a list of all actions. */
export const wordsOf = (id: ActionId, at: ActionPlace | null): Words => {
  const { words, wordsAt } = actionRow(id)
  return (at === null ? undefined : wordsAt?.[at]) ?? words
}
