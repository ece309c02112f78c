/**
 * What the program itself says, in English; program.zh.ts has the same in Chinese. `{name}` stands for a value; a sentence that
 * depends on its values is a function. Keys of SENTENCES are stored in records: they are never renamed.
 */

import { formatBytes } from '@/lib/format'
import type { BudgetFault } from '@/lib/mas/limits/budgets'

/** again: when it may ask again, epoch ms; time: the same in words */
export type DayLimitValues = { what: 'tokensPerDay' | 'costPerDay'; limit: number; again: number; time: string }
/** passage, result: quoted; files: lines of a list; each '' without any */
type ChangeWords = Record<'name' | 'handle' | 'id' | 'comment' | 'passage' | 'result' | 'files', string>
/** afterS: seconds from now */
type PeerLimitValues = { what: 'tasksAtOnce'; limit: number } | (DayLimitValues & { afterS: number })

export const dayLimit = ({ what, limit }: Pick<DayLimitValues, 'what' | 'limit'>): string =>
  what === 'tokensPerDay' ? `${limit} tokens` : `$${limit}`

/** `1.1 kB → 1.4 kB`; once where both read the same. */
export const sizes = ({ was, bytes }: { was: number; bytes: number }): string =>
  [...new Set([formatBytes(was), formatBytes(bytes)])].join(' → ')

const stages = (count: number): string => (count === 1 ? '1 stage' : `${count} stages`)

/** The same table in another language. */
export type Translated<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends string ? string : string | Table[Key]
}

const requestsAndMessages = (d: { n: string; messages: number }): string =>
  [
    ...(d.n === '' ? [] : [`request ${d.n}`]),
    ...(d.messages === 0 ? [] : [d.messages === 1 ? 'a message' : `${d.messages} messages`]),
  ].join(', ')

/** name: of the file inside, of the kind of entry, of the version, or the limit; else '' */
export type ArchiveFault = {
  why:
    | 'noZip'
    | 'noManifest'
    | 'version'
    | 'event'
    | 'unknownFile'
    | 'damaged'
    | 'tooMuch'
    | 'base'
    | 'open'
    | 'tooMany'
  name: string
}

const ARCHIVE_WHY: Record<ArchiveFault['why'], (name: string) => string> = {
  noZip: () => "this isn't a ZIP file, or it isn't whole. Download the archive again.",
  noManifest: () => "it isn't the archive of a task: it has no manifest.json of one. Choose a file that Export wrote.",
  version: (name) => `it is an archive of version ${name}, which this program doesn't know. Update Convene first.`,
  event: (name) => `it has entries of the kind ${name}, which this program doesn't know. Update Convene first.`,
  unknownFile: (name) => `it contains ${name}, which the archive of a task doesn't have. Export the task again.`,
  damaged: (name) => `${name} is missing or was changed. Export the task again.`,
  tooMuch: () =>
    'it is too large: unpacked it may be 256 MiB, with entries of 64 MiB and 20,000 files. Read it with another program.',
  base: () => "it is the archive of a base task, which can't be opened here. Export one of its tasks.",
  open: () => "the task hadn't ended when it was exported. Export it again after its end.",
  tooMany: (name) => `${name} archives are open already. Remove one first.`,
}

/** mib: the limit is of their size, in MiB; else of their number */
export type QuotaValues = { what: 'uploads' | 'drafts' | 'tokens'; limit: number; mib: boolean }

export type WeakPassword = 'short' | 'long' | 'common'

/** Refusals and failures, by fault code. */
export const FAULTS_EN = {
  NOT_SIGNED_IN: "You aren't signed in.",
  SIGN_IN_FAILED: 'Incorrect ID or password.',
  LINK_USED: 'This sign-in link has expired or was already used. Ask for a new one.',
  SIGN_IN_STALE: 'This sign-in was started too long ago, in another browser, or was finished already. Start it again.',
  SIGN_IN_UNFIT: "The answer of {name} couldn't be accepted: {why}.",
  PROVIDER_REFUSED: '{name} refused the sign-in: {why}.',
  PROVIDER_UNREACHABLE: "{name} can't be reached: {why}. Try again soon, or sign in another way.",
  NOT_ADMITTED: ({ name, left }: { name: string; left: boolean }): string =>
    left
      ? 'You were removed from this team. Ask an operator to invite you again.'
      : `Your account at ${name} is in no group that may use this team. Ask an operator.`,
  PASSWORDS_OFF: 'No one signs in by a password here. Sign in by your company.',
  NOT_ALLOWED: "You don't have permission to {what}.",
  TOKEN_UNKNOWN: 'This token is unknown, has expired or was revoked.',
  TOKEN_SCOPE: ({ scope }: { scope: string | null }): string =>
    scope === null
      ? 'This is done in the page, after signing in: no token may do it.'
      : `This token may not do that: it lacks the scope "${scope}".`,
  NOT_YOU: "human_agent_id isn't the person of this session.",
  FOREIGN_ORIGIN: "Requests from {origin} aren't accepted.",
  FOREIGN_HOST:
    "{host} isn't known as an address of this server. Open it by its IP address, or set PUBLIC_URL to the address that people use.",
  CONFIRM_PASSWORD: ({ hasPassword }: { hasPassword: boolean }): string =>
    hasPassword
      ? 'Enter your password to confirm this. It counts for 5 minutes.'
      : 'Set a password first: this needs one, entered within the last 5 minutes.',
  WRONG_PASSWORD: "That isn't your current password.",
  WEAK_PASSWORD: ({ why }: { why: WeakPassword }): string =>
    ({
      short: 'A password needs at least 12 characters.',
      long: 'A password has at most 1,024 characters.',
      common:
        "This password is among the first that an attacker tries. Choose another, such as four words that don't belong together.",
    })[why],
  NOT_FOUND: 'There is no {what} {id}.',
  NOT_KEPT: 'This is no longer kept: its task was archived longer ago than archives are kept.',
  TASK_ERASED: (d: { by: string; at: number }) =>
    `${d.by} erased this task on ${new Date(d.at).toISOString().slice(0, 10)}.`,
  STILL_COUNTING: 'The numbers of the team are being counted again. Try again in a few minutes.',
  NO_RECEIVERS: 'The list of receivers is empty.',
  NOT_A_MEMBER: "{name} isn't in the task {task}.",
  RECEIVER_UNKNOWN: 'There is no agent or person {id}.',
  RECEIVER_GONE: '{name} was removed and can no longer receive messages.',
  EMPTY_TEXT: 'There is no text to send.',
  TOO_LARGE: '{what} is {size}; the limit is {limit}.',
  BAD_INPUT: '{why}',
  NOT_JSON: 'The body must be JSON, with the header Content-Type: application/json.',
  BAD_ARGUMENTS: "The arguments don't match the tool: {why}",
  ARGUMENTS_UNUSED:
    'The decision {decision} takes no arguments: nothing was changed. Leave them out, or approve the call with other arguments: approve_edited.',
  TASK_OVER: 'The task {task} is finished and read-only.',
  WORK_GOES_ON: 'Finish {task} first. This conversation requested it and carries its questions and its result.',
  NOT_AT_REST: "The {what} {id} is still active, so it isn't archived.",
  BASE_TASK_STAYS: "Requests always stays open: it can't be finished, and neither can its stage.",
  TALK_FOR_TWO:
    'A private conversation stays between its two members: it has no stages, no other members and no end. Begin a task for that.',
  NOT_MANAGER: "{name} doesn't manage the task {task}.",
  STAGE_OVER: 'That stage has ended.',
  STEP_OVER: 'That step has ended.',
  STAGE_NOT_RUNNING: "That stage isn't running.",
  STEP_NOT_FAILED: 'Only a step that failed or was cancelled can be run again.',
  NO_TOOL_CALL: 'This step called no tool: it has no arguments to change. Retry it as it was.',
  TASK_PAUSED: 'The task {task} is paused by {by}.',
  STAGE_MISSING: 'Choose the stage of the task that this belongs to.',
  NOT_YOUR_TOOL: "You don't have access to the tools of {server}.",
  CONFIRM_FIRST: '{call} may make changes: review the call and confirm it.',
  TOOL_UNREACHABLE: (d: { server: string; why: string }) =>
    `${d.server} isn't responding${d.why === '' ? '.' : `: ${d.why}`}`,
  NO_ACTIONS: "{name} doesn't accept actions. Message it with send_to_agent.",
  NO_PEER: 'No peer is configured for {uri}.',
  PEER_KNOWN: 'The peer {uri} already exists.',
  PEER_CONFIGURED: '{uri} is set in the configuration. Edit it there.',
  PEER_URI: (d: { uri: string; why: 'everybody' | 'own' }) =>
    ({
      everybody: `${d.uri} means the agents of all systems. Name the domain of one, such as agent://south.example/*.`,
      own: `${d.uri} is an agent of this system itself.`,
    })[d.why],
  PEER_ADDRESS: '{address} is a link-local address and is never called.',
  PEER_SIGNS: "{uri} has a signing key, but MAP messages can't be signed. Remove MAP or the signing key.",
  NAME_TAKEN: 'The name {name} is taken.',
  SETUP_CHANGED: '{by} changed this in the meantime. Review it again; what you typed is kept.',
  MODEL_UNKNOWN: 'There is no model called {name}.',
  MODEL_IN_USE: '{name} is used by {by}. Give them another model first.',
  TOOL_SERVER_UNKNOWN: 'There are no tools called {names}.',
  SKILLS_MISSING: 'An agent needs these skills to end its work: {names}.',
  AGENT_BUSY: '{name} has an open part in {parts}. Finish that stage, or retry it with someone else, first.',
  LAST_OPERATOR: '{name} is the last operator. Make someone else an operator first.',
  PERSON_ASKED: '{name} has open requests in {tasks}. Choose who takes them over.',
  MANAGER_STAYS: '{name} manages {task}. Make someone else the manager first.',
  KEY_ELSEWHERE:
    "The key {name} isn't for {host}. Type the key again, or name a variable that begins with CONVENE_KEY_.",
  SECRET_KEY_MISSING:
    "Keys that are typed into the page are encrypted with CONVENE_SECRET_KEY, which isn't set. Set it and restart, or name a variable that begins with CONVENE_KEY_.",
  FILE_UNFIT: "The configuration file wouldn't be valid: {why}",
  ARCHIVE_UNFIT: (d: ArchiveFault): string =>
    `This archive wasn't opened, and nothing of it was kept: ${ARCHIVE_WHY[d.why](d.name)}`,
  ONLY_READ: 'This task was opened from a file and can only be read. Nothing was done. Ask for new work instead.',
  ADDRESS_PRIVATE:
    '{host} is in a private network. To allow it, write server: { allow_private: true } into the configuration file and restart.',
  COMMAND_NOT_ALLOWED: "The configuration doesn't allow {command}: it names commands under tools_allowed.",
  FIXED_BY_FILE: 'The connection of {name} is set in the configuration file.',
  BUDGET_UNFIT: (d: { why: BudgetFault }): string =>
    d.why === 'tooLarge'
      ? 'A limit can have at most 9 digits. For no limit, leave it empty.'
      : d.why === 'notWhole'
        ? 'A limit of tokens must be a whole number.'
        : 'A limit must be a number greater than 0. For no limit, leave it empty.',
  BUDGET_USED: 'A budget of this work is used up. An operator can raise it in Numbers, or allow more in its request.',
  ENVELOPE_ID_TAKEN: 'The ID {id} was already used for something else.',
  CONVERSATION_UNKNOWN: 'Conversation {id} not found',
  CONVERSATION_OVER: 'The conversation {id} has ended.',
  PEER_LIMIT: (d: PeerLimitValues) =>
    d.what === 'tasksAtOnce'
      ? `This system may have ${d.limit} tasks at once. It can ask again when one has ended.`
      : `This system has reached its limit of ${dayLimit(d)} per 24 hours. It can ask again at ${d.time}.`,
  CONVERSATION_ASLEEP: (d: { id: string; task: string }) =>
    `The conversation ${d.id} is archived and is being restored.`,
  ALREADY_SO: 'Nothing was changed: {what}.',
  STEP_NOT_NEXT: 'Another step comes first.',
  REQUEST_OVER: (d: { by: string; how: string; at: number; request: string }) =>
    `${d.by} was first: the request is already ${d.how}.`,
  REQUEST_CLAIMED: (d: { by: string; until: number; request: string }) =>
    `${d.by} took this request. Give a reason to take it over.`,
  NOT_ASKED: "This request isn't addressed to you.",
  DECISION_UNFIT: "{decision} isn't a valid answer to a request of kind {kind}.",
  ANSWER_NEEDED: "{who} asked a question: answer it, it can't be marked as done.",
  REASON_MISSING: 'Give a reason.',
  NOBODY_TO_ASK: "The system asked this, so there's no one to ask back.",
  DUE_PAST: 'The due time is in the past.',
  HANDOVER_UNFIT: "Couldn't hand over: {why}",
  DIGEST_CHANGED: 'The call changed since you saw it. Review it again.',
  NOTHING_TO_UNDO: 'There is nothing to undo.',
  COMMAND_ID_TAKEN: 'This command ID is already used. Send the command again with a new one.',
  EXPIRED: "This came too late and wasn't done. Send it again.",
  TOO_MANY: 'Too many attempts. Try again in {seconds} s.',
  QUOTA: (d: QuotaValues): string => {
    const most = d.mib ? `${d.limit} MiB` : `${d.limit}`
    if (d.what === 'tokens')
      return `You may have at most ${most} access tokens: this one wasn't made. Revoke one that nothing uses.`
    return d.what === 'uploads'
      ? `The uploaded files that you haven't sent yet may be at most ${most}: this one wasn't saved. Send some of them first, or ask an operator for more. After 30 days they no longer count.`
      : `Your drafts may be at most ${most}: this one wasn't saved on the server. Send or clear another draft first, or ask an operator for more.`
  },
  STORE_BROKEN:
    "Nothing can be saved right now, so this wasn't done. You can still read everything. Try again in a few seconds; if it stays like this, ask an operator to check the server's disk and log.",
  STOPPING: 'The server is stopping.',
  INTERNAL: 'Something went wrong on the server. It was recorded.',
  JOURNAL_GAP: 'at {have}, got {got}',
} as const

/** To people in a task: lines of the chat, questions of requests. */
export const SENTENCES_EN = {
  stageBegun: 'Stage {n} of {of} started: {goal}',
  partBegun: 'Your part of stage {n} can start: {goal}',
  workElsewhere: '{names}: a part to do in {tasks} too. The steps of one agent take turns, so both take longer.',
  stageEnded: (d: { n: number; failed: boolean }) => `Stage ${d.n} ${d.failed ? 'has failed' : 'is finished'}.`,
  stageRetried: 'Stage {n} is being retried.',
  taskJoined: "You're now a member of the task {task}.",
  stagePlanned: 'You have a part in stage {n}: {goal}',
  taskEnded: (d: { name: string; failed: boolean; summary: string }) =>
    `The task ${d.name} ${d.failed ? 'has failed' : 'is finished'}. ${d.summary}`,
  workBegun: 'The work on {name} has started.',
  workPaused: 'The work on {name} is paused. It continues later.',
  workResumed: 'The work on {name} continues.',
  workStopped: 'The work on {name} has reached its limit. The people in charge decide whether it continues.',
  workCanceled: '{who} no longer wants this.',
  judgeStage: 'All parts of stage {n} have ended. Review the stage: finish it, or retry it.',
  judgeTask: 'No stage is left. Review the task: finish it, or add stages.',
  noJudge:
    "The task {task} has no manager right now: {who} couldn't decide how to continue ({why}). Tell {who} what to do.",
  undecided: 'it ended without a decision',
  judgePaused: 'The task {task} has no manager right now: {who} has to decide how to continue, and is paused.',
  judgeGone: 'The task {task} has no manager: {who}, who managed it, was removed. Choose another manager.',
  judgeNoModel: "The task {task} has no manager right now: the model of {who}, who manages it, isn't configured.",
  outcome: '{who}: {how}. {why}',
  waitsInCircle: '{names} wait for each other in a circle, and none of them can answer. Release one of the waits.',
  waitsInVain: "{names} can't get an answer. {why} Answer for them, or release the wait.",
  isRemoved: '{who} was removed.',
  hasNoAccess: '{who} can no longer sign in.',
  isNotInTask: '{who} is no longer in the task.',
  isPaused: '{who} is paused.',
  taskIsPaused: 'The task is paused.',
  hasNoModel: '{who} has no model.',
  hasNoReply: '{who} can no longer reply.',
  nobodyAsked: 'There is no one to ask.',
  actReleased: "{who} released {agent}'s wait for {on}",
  actAnsweredFor: '{who} answered request {n} for {names}',
  actTookOver: '{who} took request {n} over from {from}',
  actHandedOver: (d: { who: string; to: string; n: string; messages: number }) =>
    `${d.who} hands over to ${d.to}: ${requestsAndMessages(d)}`,
  actGave: (d: { to: string; from: string; n: string; messages: number }) =>
    `${d.to} took over from ${d.from}: ${requestsAndMessages(d)}`,
  actAllowedTool: '{who} allowed {tool} for this task',
  actToolAsks: '{who} set {tool} to always ask in this task',
  actToolUrgent: '{who} set {tool} to always ask in this task, as urgent',
  actToolOff: '{who} turned {tool} off in this task',
  actToolRevoked: '{who} revoked the rule for {tool} in this task',
  actAllowedToolFor: '{who} allowed {tool} for {agent}',
  actToolAsksFor: '{who} set {tool} to always ask for {agent}',
  actToolUrgentFor: '{who} set {tool} to always ask for {agent}, as urgent',
  actToolOffFor: '{who} turned {tool} off for {agent}',
  actToolRevokedFor: '{who} revoked the rule for {tool} of {agent}',
  toolRuleOutdated: '{tool} is no longer allowed by {who}: what the tool says of itself has changed',
  toolOff: '{who} turned {call} off',
  actTookPart: '{who} took over the part of {from} in stage {n}',
  anyone: 'anyone',
  markedDone: '{who} marked this as done: {question}',
  limitSteps: 'the limit of {n} steps',
  limitReflections: 'the limit of {n} reflections',
  limitTalk: 'the limit of {n} consecutive messages without other work',
  limitTokens: 'the limit of {n} tokens',
  limitCost: 'the limit of ${n}',
  limitDay: 'the limit of ${n} for one day',
  limitReached: "{who} has reached {limit} and can't continue. How many more?",
  limitToManager: "{who} has reached {limit} and can't continue until an operator allows more.",
  limitNear: '{who} has used {used} of {limit}.',
  actAllowed: '{who} allowed {whom} {n} more, beyond {limit}',
  actRefused: '{who} allowed {whom} no more than {limit}',
  theDay: "today's work",
  workAskedFor: 'work that {who} asked for',
  actPaused: '{who} paused {what}',
  actReadNow: '{who} paused {what}, which reads one message first',
  actRemovedAgent: '{who} removed {name} from the team',
  actResumed: '{who} resumed {what}',
  actRanTool: '{who} ran {call} manually',
  actCancelled: '{who} cancelled a step of {agent}: {what}',
  actRetried: '{who} had {agent} retry a step: {what}',
  actRetriedEdited: '{who} changed the arguments and had {agent} retry a step: {what}',
  actRenamedTask: '{who} renamed the task {was} to {name}',
  actRenamedStage: '{who} renamed stage {n} to {name}',
  actChangedGoal: '{who} changed the goal of stage {n}: {goal}',
  actRenamedStageAndGoal: '{who} renamed stage {n} to {name} and changed its goal: {goal}',
  actAddedStages: '{who} added to the plan: {goals}',
  actFinishedStage: '{who} finished stage {n}',
  actRetriedStage: '{who} retried stage {n} with changes: {goal}',
  actFinishedTask: (d: { who: string; failed: boolean }) => `${d.who} finished the task${d.failed ? ' as failed' : ''}`,
  actAdded: '{who} added {names}',
  actRemoved: '{who} removed {names}',
  actManager: '{who} made {name} the manager',
  actMadeTask: '{who} created the task {name}',
  because: '{act} · {why}',
  theWholeTask: 'the task',
  leftTask: '{name} is no longer in the task: {why}',
  leftTeam: '{name} is no longer on the team',
  planTask: 'The task is new and has no stages. Plan them: {goal}',
  theTask: 'the task',
  toolAsks: '{server} asks: {text}',
  toolWantsModel: (d: { server: string; agent: string; text: string }) =>
    `Allow ${d.server} to use the model of ${d.agent}?${d.text === '' ? '' : `\n${d.text}`}`,
  allow: 'Allow {call}?',
  reviewNewTask: (d: { task: string; count: number }) => `Plan for ${d.task}: ${stages(d.count)}`,
  reviewStages: (d: { task: string; count: number }) => `More work in ${d.task}: ${stages(d.count)}`,
  reviewRetry: (d: { task: string; count: number }) => `Another try in ${d.task}: ${stages(d.count)}`,
  teamTaken: 'It came with the team {name}.',
  planAgain: 'Write the plan again so that it does what the comment says.',
  planChanged: '{who} changed the plan and approved it.',
  writesNew: (d: { path: string; bytes: number }) => `Write ${d.path}, new file, ${formatBytes(d.bytes)}`,
  writesChanged: (d: { path: string; was: number; bytes: number }) => `Write ${d.path}, changed, ${sizes(d)}`,
  /** about: its most telling argument, or '' */
  usesTool: (d: { tool: string; about: string }) => [d.tool, d.about].filter(Boolean).join(': '),
  // The message that begins the demo task.
  changeWork: (d: ChangeWords) =>
    [
      `Change the result of \`${d.name}\` (${d.handle}): ${d.comment}`,
      ...(d.passage === '' ? [] : [`About this passage of it:\n${d.passage}`]),
      ...(d.result === '' ? [] : [`The result so far:\n${d.result}`]),
      ...(d.files === '' ? [] : [`Its files, to begin with:\n${d.files}`]),
      `Task: ${d.id}`,
    ].join('\n\n'),
  demoWork: (d: { folder: string }) => `Compare the price lists in ${d.folder} and write a report`,
} as const
