/** The bodies of the HTTP interface that the console uses, as types. The server's zod schemas must satisfy them. */

import type { AgentId, MessageId, RequestId, TaskId } from '../mas/ids'
import type {
  Access,
  Decision,
  Json,
  Language,
  MessageType,
  ModelCall,
  RequestRecord,
  StepRecord,
} from '../mas/records'
import type { Change } from '../mas/selectors/requests'
import type { AttachedDraft } from './drafts'
import type { TalkRow, WaitRow } from './rows'

/** Every command carries an id made by the page, and `until`: server time from the last beat plus 30 s. */
export type CommandHead = { id: string; until: number }
export type CommandAnswer = { seq: number; reply: Json }

/** POST /api/messages. One message per receiver under one dispatch. */
export type PostMessage = CommandHead & {
  task: TaskId
  /** 'all': everyone in the task but me. */
  receivers: AgentId[] | 'all'
  text: string
  type: MessageType
  stage: string | null
  answers: RequestId | null
  replyTo: MessageId | null
  mention: boolean
  /** When what is not settled counts as expired, epoch ms. */
  due?: number | null
  /** Files that were taken in before (POST /api/attachments). */
  attachments?: (AttachmentAnswer & { alt?: string })[]
}

/** Answer of POST /api/attachments. */
export type AttachmentAnswer = { sha: string; name: string; mime: string; bytes: number }
/** GET /api/messages/<id>/attachments/<number from 0> */
export type AttachmentBody = { name: string; mime: string; base64: string }

/** POST /api/requests/<id>/answer */
export type PostAnswer = CommandHead & {
  decision: Decision
  text: string
  /** Edited arguments of a confirmation, as JSON text. */
  arguments: string | null
  digest: string | null
  /** Why an operator answers who was not asked; needed then. */
  reason?: string | null
}
/** POST /api/requests/<id>/claim. reason: why it is taken over from somebody who is at it. */
export type PostClaim = CommandHead & { reason?: string | null }
/** POST /api/requests/<id>/ask_back */
export type PostAskBack = CommandHead & { text: string }
/** POST /api/waits/release */
export type PostRelease = CommandHead & { agent: string; waiting: string; reason: string }
/** POST /api/hand_overs. 'all': everything that is put to me but parts of stages. */
export type PostHandOver = CommandHead & {
  to: string
  requests: string[] | 'all'
  /** Absent: with 'all', all that people wrote to me and is not settled; else none. */
  messages?: string[]
  sentence: string
  /** What I had begun to answer, by request. */
  begun?: Record<string, string>
}
/** POST /api/hand_overs/<id> */
export type PostSettleHandOver = CommandHead & { accept: boolean }
/** POST /api/reminders: one of the two. */
export type PostReminder = CommandHead & { request: string | null; message: string | null; minutes: number }
/** GET /api/waits?after=<cursor>&limit= */
export type WaitsAnswer = { waits: WaitRow[]; total: number; blocked: number; next: string | null }

/** POST /api/receipts */
export type PostReceipts = CommandHead & { shown: MessageId[] }
/** POST /api/messages/<id>/{acknowledge|done|undo}, /api/requests/<id>/claim: CommandHead alone. */

/** POST /api/work: ask for new work. Files are saved in the workspace before the message is sent. */
export type PostWork = CommandHead & {
  wish: string
  pasted: string
  files: { name: string; text: string }[]
  /** Files that POST /api/attachments took in before. */
  taken?: { sha: string }[]
}
/** POST /api/work/demo: CommandHead alone. */

/** Answer of /api/work and /api/work/demo: the paths of the saved files, relative to the workspace. */
export type WorkAnswer = CommandAnswer & { saved: string[] }

/** GET /api/workspace */
export type WorkspaceEntries = {
  root: string
  entries: { path: string; kind: 'file' | 'folder'; bytes: number }[]
  more: number
}

/**
 * What operators do, and whoever manages the task: each says why; it is recorded, and told in the chat. The reason may be
 * empty only where something goes on again.
 *
 * POST /api/agents/<id>/{pause|resume}, /api/tasks/<id>/{pause|resume}, /api/steps/<id>/{cancel|retry}, /api/stages/<id>/finish
 */
export type PostAct = CommandHead & { reason: string }
/** POST /api/agents/<id>/read_now */
export type PostReadNow = PostAct & { message: string }
/** A stage as it is wished for; allocation: the goal of each agent. */
export type StageSpecBody = { intention: string; allocation: Record<AgentId, string> }
/** POST /api/tasks */
export type PostTask = PostAct & {
  name: string
  intention: string
  manager: AgentId
  members: AgentId[]
  stages: StageSpecBody[]
}
/** POST /api/tasks/<id>/stages */
export type PostStages = PostAct & { stages: StageSpecBody[] }
/** POST /api/stages/<id>/retry */
export type PostRetryStage = PostAct & StageSpecBody
/** POST /api/tasks/<id>/finish */
export type PostFinishTask = PostAct & { state: 'finished' | 'failed'; summary: string }
/** POST /api/tasks/<id>/participants */
export type PostParticipants = PostAct & { add: AgentId[]; remove: AgentId[] }
/** POST /api/tasks/<id>/manager */
export type PostManager = PostAct & { agent: AgentId }

/** GET /api/me */
export type Me = {
  person: { agent_id: AgentId; id: string | null; name: string; role: string; access: Access }
  team: { name: string; language: Language }
  settings: Settings
  hasPassword: boolean
  /** How often an open page knocks, and for how long; ms. Absent: as the page knows it. */
  ladder?: { againMs: number; untilMs: number; openMs: number; openAgainMs: number }
  /** A running step that says nothing for so long is shown as stale, ms. Absent: as the page knows it. */
  staleAfterMs?: number
}

/** POST /api/bind_human_agent */
export type BindHumanAgent = { human_agent_id: string; password: string }
export type BindAnswer = { success: true; human_agent_id: AgentId; message: string }
/** POST /api/sessions/link: the token of a sign-in link (`/login#link=<token>`); it works once. */
export type UseLink = { token: string }
export type SignedIn = { person: Me['person']; hasPassword: boolean }
/** POST /api/sessions/end and POST /api/people/<id>/sign-out. */
export type SessionsEnded = { ended: number }

/** PUT /api/me/password. `current` is needed when there is a password. */
export type PutPassword = { current: string | null; next: string }

/** GET /api/people (operators). */
export type PersonInfo = Me['person'] & { hasPassword: boolean; sessions: number; lastSeen: number | null }
export type PeopleAnswer = { people: PersonInfo[] }
/** POST /api/people/<id>/link and /reset: a link that signs that person in, once, within 15 minutes. */
export type LinkAnswer = { url: string; expiresAt: number }

/** PUT /api/me/settings */
export type Settings = {
  theme?: 'system' | 'light' | 'dark'
  language?: Language
  density?: 'comfortable' | 'compact'
  textScale?: number
  hideHints?: boolean
  /** When the member last asked for the demo task, epoch ms: each of their devices finds it by that. */
  demoAskedAt?: number
  singleKeys?: boolean
  /** Single keys by the chord they have for everybody; '' switches one off. */
  keys?: Record<string, string>
  /** False: no sounds. */
  sound?: boolean
  /** The member was asked whether they want desktop notices, and answered. */
  askedDesktop?: boolean
  rest?: DndSettings
  /** How loudly each task tells of what comes, by its id; left out: mentions. */
  levels?: Record<string, TaskLevel>
  /** Members that are addressed together. */
  groups?: { name: string; members: string[] }[]
}

/**
 * GET /api/me/channels: how I am reached outside the page.
 *
 * none      nobody configured it; notReady: it is configured, and its variable is not set where the program runs
 * pushKey   what a browser subscribes with (VAPID); times: ms after something began to call for me
 */
export type MyChannels = {
  pushKey: string
  browsers: { id: string; name: string; at: number; endpoint: string }[]
  email: { state: 'none' | 'notReady' | 'ready'; to: string | null }
  webhook: { state: 'none' | 'notReady' | 'ready'; to: string | null }
  times: { ownMs: number; noPageMs: number; againMs: number; untilMs: number; raiseAgainMs: number }
}
/** POST /api/me/browsers: this browser takes pushes. name: as it is listed. */
export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string }; name: string }
/** POST /api/me/channels/test */
export type PostChannelTest = { channel: 'push' | 'webhook' | 'email'; browser?: string }
/** POST /api/me/told: the leading page told me of these, by a sound or by the desktop. */
export type PostTold = CommandHead & { items: string[]; channel: 'page' | 'desktop' }

/** all: of every message to me · mentions: as the ladder has it · urgent: of nothing but an Urgent. */
export const LEVELS = ['all', 'mentions', 'urgent'] as const
export type TaskLevel = (typeof LEVELS)[number]
export const levelOf = (levels: Settings['levels'], task: string): TaskLevel => levels?.[task] ?? 'mentions'

/**
 * Do not disturb.
 *
 * isOn       switched on by hand; until: epoch ms at which that ends, null: until it is switched off
 * daily      from and to as "22:00" in the member's own time; over midnight is fine. zone: which time that is (IANA), for
 *            when none of their pages is open
 */
export type DndSettings = {
  isOn: boolean
  until: number | null
  daily: { from: string; to: string; zone?: string } | null
  urgentBreaksThrough: boolean
}

/** GET /api/by_hand: calls of models that are people, the longest waiting first. POST /api/by_hand/<call> answers one. */
export type ByHandCall = {
  id: string
  model: string
  agent: string
  skill: string
  step: string | null
  /** The task's name and id, where the call belongs to a step that is in the world. */
  task: { id: string; name: string } | null
  since: number
  parts: { role: 'system' | 'user' | 'assistant'; name: string; text: string }[]
}
export type ByHandAnswer = { calls: ByHandCall[] }
export type PostByHand = { answer: string } | { refuse: string }

/** GET /api/system: what runs here, for operators. A limit of null: none. */
export type SystemInfo = {
  version: string
  models: string[]
  rehearsal: boolean
  limits: { name: string; value: number | null }[]
}

/** GET /api/system/try: what can be tried. POST tries one of it. */
export type Triable = { models: string[]; tools: string[] }
export type PostTry = { kind: 'model' | 'tool'; name: string }
export type TriedAnswer = { ok: boolean; words: string; hint: string | null }

/**
 * GET and PUT /api/drafts/<key>. Version null: none yet. key = `task:<id>`, `direct:<agent>`, `request:<id>` (with `.<part>` for a
 * card's other boxes), `by_hand:<call>`, `tool:<server>.<tool>` or `act:<what>.<id>`.
 */
export type DraftAnswer = {
  text: string
  /** What was chosen beside the text; absent: nothing. */
  more?: AttachedDraft
  version: number | null
  /** Written elsewhere meanwhile. */
  other: string | null
  otherMore?: AttachedDraft
  at: number
}
export type PutDraft = {
  text: string
  more?: AttachedDraft
  version: number | null
  /** What was set aside for it; null: nothing; absent: what the server set aside itself. */
  other?: { text: string; more?: AttachedDraft } | null
}

/**
 * GET and PUT /api/read/<place>: place = `task:<id>`, `direct:<agent>` or `notices`. seq null: never there.
 * isBack: what came after it is to be unread again.
 */
export type ReadCursor = { seq: number | null }
export type PutRead = { seq: number; isBack?: boolean }

/** GET /api/drafts: where I have drafts. DELETE /api/drafts/<key>/other: the other draft is not needed. */
export type DraftList = {
  drafts: {
    key: string
    at: number
    /** A text, files or a form: more than who would get it. */
    isWritten: boolean
  }[]
}

/** GET /api/direct/<agent>/left: what left the live world of a private conversation. next: `before` of the next page; null: no more. */
export type LeftTalkPage = { rows: TalkRow[]; next: number | null }

/** GET /api/requests/<id> */
export type RequestAnswerBody = {
  request: RequestRecord
  taskName: string
  askerName: string
  changes: Change[]
  /** It has left the live world. */
  archived: boolean
}

/** GET /api/tasks/archived */
export type ArchivedTask = {
  task: string
  name: string
  state: 'init' | 'running' | 'finished' | 'failed'
  summary: string | null
  endedAt: number | null
  archivedAt: number
  asker: string | null
  members: number
}
export type ArchivedPage = { tasks: ArchivedTask[]; next: string | null }

/** GET /api/health */
export type Health = {
  /** starting: it listens, and opens its store and engine; then journal is '' and seq 0 */
  status: 'starting' | 'ok' | 'stopping' | 'broken'
  node: string
  journal: string
  seq: number
  version: string
  rehearsal: boolean
}

/**
 * GET /api/ready: 200 when it can take commands, else 503 with every reason.
 *
 * starting  it listens, and opens its store and engine
 * draining  it stops
 * disk      too little space is free
 * store     the store refuses to write
 */
export type Ready = { ready: boolean; reasons: ('starting' | 'draining' | 'disk' | 'store')[] }

/** GET /api/steps/<id> */
export type StepAnswer = { step: StepRecord; taskName: string; agentName: string; archived: boolean }
/** GET /api/steps/<id>/prompt?call=<id>: the newest call when absent. */
export type PromptAnswer = {
  call: ModelCall
  sections: { name: string; role: 'system' | 'user' | 'assistant'; text: string; bytes: number }[]
}
/** GET /api/steps/<id>/response?call=<id>. reasoning: null where the model's server gave none apart from the answer. */
export type ResponseAnswer = { call: ModelCall; text: string; reasoning: string | null }
/** GET /api/steps/<id>/result: the whole parsed result. */
export type ResultAnswer = { kind: string; text: string; json: Json }
/** GET /api/steps/<id>/tool: the call and its result, whole up to 256 KiB each. */
export type ToolAnswer = {
  server: string
  name: string | null
  arguments: Json
  approvedBy: { name: string; edited: boolean } | null
  result: Json
  isError: boolean | null
  cut: boolean
}
/** GET /api/requests/<id>/arguments: exactly what would run. */
export type ArgumentsAnswer = { json: Json; text: string; digest: string; schema: Json }

/** GET /api/tools. What went wrong and the page to sign in at are for operators; null for others. */
export type ToolServersAnswer = {
  servers: {
    name: string
    guide: string
    state: 'idle' | 'connecting' | 'connected' | 'failed' | 'needs_sign_in'
    /** Its tools are among those that I may run by hand. */
    mayRun: boolean
    /** Elsewhere: one that may ask for a sign-in. */
    remote: boolean
    error: string | null
    signInUrl: string | null
  }[]
}
/** GET /api/tools/<name>, which reaches for the server. error: why nothing is known of it, for operators. */
export type ToolServerAnswer = {
  name: string
  guide: string
  state: ToolServersAnswer['servers'][number]['state']
  mayRun: boolean
  error: string | null
  tools: ToolOffer[]
}
/** reads: it changes nothing, as its server says. asks: whoever runs it by hand confirms exactly what runs. */
export type ToolOffer = {
  name: string
  title: string | null
  description: string
  /** Of its arguments. */
  schema: Json
  reads: boolean
  asks: boolean
}
/** POST /api/tools/<name>/run; the reply holds the step. `reason` is of what was confirmed. */
export type PostRunTool = CommandHead & {
  task: string
  stage: string | null
  tool: string
  arguments: { [name: string]: Json }
  confirmed: boolean
  reason: string
}
/** POST /api/tools/<name>/sign_in, with {}: the page that the operator is to open; null: nothing is needed. */
export type SignInBegun = { url: string | null }

/** GET /api/tasks/<id>/steps?after=<cursor>&limit= */
export type StepPage = { steps: StepRecord[]; next: string | null }

export const SEARCH_KINDS = ['task', 'agent', 'request', 'message', 'stage', 'step'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]
/**
 * GET /api/search?q=&kind=&before=&limit= : what the caller may read, the newest first. Without a kind the first few of each.
 *
 * title   who said, asked or does it; of a task and a stage the task's name
 * text    the line that was found; at: epoch ms, 0 for agents
 */
export type SearchHit = {
  kind: SearchKind
  id: string
  task: TaskId | null
  taskName: string
  title: string
  text: string
  at: number
}
/** next: `before` of the next page, null: there is none · indexedTo: entries up to it can be found, head: there are */
export type SearchAnswer = { hits: SearchHit[]; next: number | null; indexedTo: number; head: number }
