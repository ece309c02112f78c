import { isSameValue } from '@/lib/json'
import { hiddenPathIn } from '../calls/hiddenPaths'
import { nearestNames } from '../calls/nearestNames'
import { prepareCall } from '../calls/prepareCall'
import { relativeTo, type ShowRelative } from '../calls/relativePaths'
import { reasonInWords, runCall } from '../calls/runCall'
import { editsForeignText, withReadableTexts } from '../calls/workspaceText'
import { CALL_TIME_LIMIT_MS, CONNECT_TIME_LIMIT_MS } from '../limits'
import { isConnectionFault, isSessionGone, isSignInNeeded } from '../transports/remoteTransport'
import type {
  ChangingPool,
  ServerDescription,
  SignInFlow,
  ToolCall,
  ToolCallOptions,
  ToolFault,
  ToolOutcome,
  ToolPool,
  ToolPoolOptions,
  ToolServerConfig,
} from '../types'
import { type ServerConnection, ServerLink } from './serverLink'
import { openToolServerSignIn, type ToolServerSignIn } from './signIn'

type Member = {
  config: ToolServerConfig
  link: ServerLink
  show: ShowRelative
  signIn: ToolServerSignIn | undefined
  /** Running calls. */
  calls: number
  /** Removed from the pool: it is closed when its last call has ended. */
  isLeft: boolean
}

/**
 * Open the pool. Servers start on first use.
 *
 * out     one pool for the whole program; its methods return values and never throw
 * faults  an Error for duplicate names, here and in apply
 */
export function openToolPool(
  configs: ToolServerConfig[],
  options: ToolPoolOptions,
): ToolPool & SignInFlow & ChangingPool {
  const members = openMembers(options)
  members.apply(configs)
  let closing: Promise<void> | null = null

  /** A call that ends because the pool closes is not a fault of its server. */
  const inClosing = <Outcome extends { ok: true } | ToolFault>(outcome: Outcome): Outcome | ToolFault =>
    closing && !outcome.ok && outcome.code === 'TOOL_TRANSPORT'
      ? { ok: false, code: 'TOOL_ABORTED', message: 'the tools are closed' }
      : outcome

  return {
    apply: members.apply,
    servers: () =>
      members.all().map(({ config, link, show }) => ({
        name: config.name,
        guide: config.guide,
        state: link.state,
        isRemote: config.baseurl !== undefined,
        ...(link.lastError === undefined ? {} : { lastError: show(link.lastError) }),
        ...signInUrlOf(link),
      })),

    async describe(server, signal) {
      const member = members.find(server)
      if ('ok' in member) return member
      const reached = await reach(member, signal)
      return reached.ok ? { ok: true, description: reached.description } : inClosing(reached)
    },

    async call(server, call, options) {
      const member = members.find(server)
      if ('ok' in member) return member
      return inClosing(await members.during(member, () => callMember(member, call, options)))
    },

    async signIn(server) {
      const member = members.find(server)
      return 'ok' in member ? member : beginSignIn(member)
    },

    async finishSignIn({ state, ...answer }) {
      const member = members.all().find(({ signIn }) => signIn?.isMine(state))
      if (!member) return { ok: false, code: 'TOOL_UNKNOWN', message: 'no sign-in is waited for that this answers' }
      const fault = await member.link.finishSignIn(answer)
      if (fault !== null) return { ok: false, code: 'TOOL_TRANSPORT', message: fault }
      return { ok: true, server: member.config.name }
    },

    close() {
      closing ??= members.close()
      return closing
    },
  }
}

/** The present members. A removed one is closed when its last call has ended. */
function openMembers(options: ToolPoolOptions) {
  const members = new Map<string, Member>()
  const leaving = new Set<Promise<void>>()
  const join = (config: ToolServerConfig): void => {
    const signIn = signInFor(config, options)
    const link = new ServerLink({
      config,
      log: options.log,
      connectTimeLimitMs: options.connectTimeLimitMs ?? CONNECT_TIME_LIMIT_MS,
      graceMs: options.graceMs,
      signIn,
    })
    members.set(config.name, { config, link, show: relativeTo(config.root), signIn, calls: 0, isLeft: false })
  }
  const leaveWhenIdle = (member: Member): void => {
    if (!member.isLeft || member.calls > 0) return
    const closed = member.link.close().finally(() => leaving.delete(closed))
    leaving.add(closed)
  }

  return {
    apply(wanted: readonly ToolServerConfig[]): string[] {
      const byName = new Map(wanted.map((config) => [config.name, config]))
      const twice = wanted.find(({ name }, place) => wanted.findIndex((one) => one.name === name) !== place)
      if (twice) throw new Error(`two tool servers are called "${twice.name}"`)
      for (const [name, member] of members) {
        if (isSameValue(byName.get(name), member.config)) continue
        members.delete(name)
        member.isLeft = true
        leaveWhenIdle(member)
      }
      const fresh = wanted.filter(({ name }) => !members.has(name))
      for (const config of fresh) join(config)
      return fresh.map(({ name }) => name)
    },
    all: (): Member[] => [...members.values()],
    find(server: string): Member | ToolFault {
      const member = members.get(server)
      if (member) return member
      const nearest = nearestNames(server, [...members.keys()])
      const hint = nearest.length === 0 ? 'none is configured' : `nearest: ${nearest.join(', ')}`
      return { ok: false, code: 'TOOL_UNKNOWN', message: `no tool server "${server}" (${hint})` }
    },
    /** Keeps the member connected while this runs, even when it is removed. */
    async during<Outcome>(member: Member, run: () => Promise<Outcome>): Promise<Outcome> {
      member.calls += 1
      try {
        return await run()
      } finally {
        member.calls -= 1
        leaveWhenIdle(member)
      }
    },
    async close(): Promise<void> {
      await Promise.all([...[...members.values()].map(({ link }) => link.close()), ...leaving])
    },
  }
}

async function beginSignIn({ link, show }: Member): Promise<{ ok: true; url: string | null } | ToolFault> {
  // The pending page may request more rights than a new one would, so it is kept.
  const waiting = link.signInUrl()
  if (waiting !== null) return { ok: true, url: waiting }
  try {
    await link.open()
    return { ok: true, url: null }
  } catch (error) {
    const url = link.signInUrl()
    return url !== null
      ? { ok: true, url }
      : { ok: false, code: 'TOOL_TRANSPORT', message: show(link.inWords(error).message) }
  }
}

/** One call; on a new connection when the server has forgotten the session. */
async function callMember(
  member: Member,
  call: ToolCall,
  { signal, timeLimitMs, onProgress, asks, answers, group, caller, isHidden }: ToolCallOptions,
): Promise<ToolOutcome> {
  const { show, config } = member
  const limitMs = timeLimitMs ?? config.timeLimitMs ?? CALL_TIME_LIMIT_MS
  for (let isSecond = false; ; isSecond = true) {
    const reached = await reach(member, signal)
    if (!reached.ok) return reached
    const checked = await prepareCall(reached.description, call)
    if (!checked.ok) return checked
    const hidden =
      config.root === undefined || isHidden === undefined
        ? null
        : await hiddenPathIn(config.root, [call.kind === 'resource' ? call.name : '', call.arguments], isHidden)
    if (hidden !== null) {
      const message = `${hidden} is not open to this task: a file below inbox/ is read where a message carries it`
      return { ok: false, code: 'TOOL_ARGUMENTS', message }
    }
    const damaged = config.root === undefined ? null : await editsForeignText(config.root, call.arguments)
    if (damaged !== null) return { ok: false, code: 'TOOL_ARGUMENTS', message: damaged }
    const { longestMs, name: server } = config
    const run = { server, timeLimitMs: limitMs, longestMs, signal, show, onProgress, asks, answers, group, caller }
    const end = await runCall(reached.connection, checked.prepared, run)
    if (end.connection === 'silent') member.link.probe(reached.connection)
    if (end.connection === 'lost' || end.connection === 'forgotten') {
      member.link.drop(reached.connection, end.outcome.ok ? 'the connection was lost' : end.outcome.message)
    }
    // A forgotten session has run nothing, so the call may be repeated once on a new one.
    if (end.connection === 'forgotten' && !isSecond) continue
    const { outcome } = end
    if (!outcome.ok) return outcome
    return { ok: true, result: await withReadableTexts(config.root ?? null, call.arguments, outcome.result) }
  }
}

/** None for a server with a configured key, or without a place to store tokens. */
function signInFor(config: ToolServerConfig, { signIn }: ToolPoolOptions): ToolServerSignIn | undefined {
  if (config.baseurl === undefined || signIn === undefined) return undefined
  if (Object.keys(config.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')) return undefined
  const { keeping, redirectUrl } = signIn
  return openToolServerSignIn({
    server: config.name,
    settings: config.oauth,
    keeping,
    redirectUrl,
  })
}

function signInUrlOf(link: ServerLink): { signInUrl?: string } {
  const url = link.state === 'needs_sign_in' ? link.signInUrl() : null
  return url === null ? {} : { signInUrl: url }
}

type Reached = { ok: true; connection: ServerConnection; description: ServerDescription } | ToolFault

/** The connection and its description; the caller's signal ends its own wait, not the shared connection attempt. */
async function reach(member: Member, signal: AbortSignal | undefined, isSecond = false): Promise<Reached> {
  const { config, link, show } = member
  let connection: ServerConnection | null = null
  try {
    signal?.throwIfAborted()
    connection = await untilAborted(link.open(), signal)
    return { ok: true, connection, description: await untilAborted(connection.describe(), signal) }
  } catch (error) {
    if (signal?.aborted) {
      const message = `waiting for ${config.name} was cancelled${reasonInWords(signal.reason)}`
      return { ok: false, code: 'TOOL_ABORTED', message }
    }
    const fault = link.inWords(error)
    if (connection && fault.isTimeLimit) link.probe(connection)
    if (connection && (isConnectionFault(error) || isSignInNeeded(error))) link.drop(connection, fault.message)
    if (isSessionGone(error) && !isSecond) return reach(member, signal, true)
    const lastOutput = link.state === 'connected' ? undefined : connection?.child?.lastOutput
    const message = `${config.name} could not be reached: ${fault.message}${lastOutput ? `: ${lastOutput}` : ''}`
    return { ok: false, code: fault.isTimeLimit ? 'TOOL_TIME_LIMIT' : 'TOOL_TRANSPORT', message: show(message) }
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error('aborted'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
