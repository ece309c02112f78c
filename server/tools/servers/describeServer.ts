import type { Client } from '@modelcontextprotocol/client'
import { askServer } from '../calls/askServer'
import { type ForeignList, type ListOptions, readForeignList } from '../foreign/readForeignList'
import { type OfferedTool, readPrompt, readResource, readStatelessTool, readTool } from '../foreign/readOffer'
import type { Unread } from '../foreign/unread'
import { timeInWords } from '../limits'
import { isSessionGone, isSignInNeeded } from '../transports/remoteTransport'
import type { ResourceInfo, ServerDescription, ToolInfo, ToolLog, ToolServerConfig } from '../types'

/** Characters of a server's instructions: agents see them, and they cost tokens. */
const LONGEST_INSTRUCTIONS = 4_000
/** How long the tools, once they are known, wait for the other lists. */
const GRACE_MS = 3_000
/** A list that failed is asked for again after this. */
const AGAIN_MS = 60_000

type OfferOptions = {
  log: ToolLog
  /** For each list. */
  timeLimitMs: number
  graceMs?: number
  faultInWords: (fault: unknown) => string
}

/**
 * The offer of a connected server: its capabilities, and the lists that it announces. Each list is asked for once, and again
 * when the server says that it changed.
 *
 * out     describe(): what is known of it. A list that fails or hangs is empty in it, which its `unread` says, and is asked for
 *         again later; the lists that came do not wait for it. It rejects with the fault when no list came at all
 * why     the SDK's listTools forgets the output schemas of all pages but the last, fails when one of them does not compile, and
 *         refuses a whole list for one odd item
 */
export function openOffer(client: Client, config: ToolServerConfig, options: OfferOptions) {
  const { log, timeLimitMs, graceMs = GRACE_MS, faultInWords } = options
  const capabilities = client.getServerCapabilities() ?? {}
  const part = <Item>(
    isOffered: boolean,
    method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list',
    list: Pick<ListOptions<Item>, 'key' | 'read' | 'nameOf'>,
  ): Part<Item> => {
    const ask: ListOptions<Item>['ask'] = (params, timeout) =>
      askServer(client, method, params, { timeout: Math.ceil(timeout) })
    return isOffered ? openPart(() => readForeignList({ ...list, ask, timeLimitMs, faultInWords }), list.key) : NO_PART
  }
  const hasResources = capabilities.resources !== undefined
  const uriOf = ({ uri }: ResourceInfo): string => uri
  const nameOf = ({ name }: { name: string }): string => name
  // A server that announces nothing is asked for tools all the same: it can hardly have been meant to have none.
  const hasTools = capabilities.tools !== undefined || (!hasResources && capabilities.prompts === undefined)
  const isStateless = client.getProtocolEra() === 'modern'
  const tools = part(hasTools, 'tools/list', { key: 'tools', read: isStateless ? readStatelessTool : readTool, nameOf })
  const resources = part(hasResources, 'resources/list', { key: 'resources', read: readResource, nameOf: uriOf })
  const templates = part(hasResources, 'resources/templates/list', {
    key: 'resourceTemplates',
    read: readResource,
    nameOf: uriOf,
  })
  const prompts = part(capabilities.prompts !== undefined, 'prompts/list', { key: 'prompts', read: readPrompt, nameOf })
  const others = [resources, templates, prompts]

  let last: { of: readonly unknown[]; description: ServerDescription } | null = null
  function compose(): ServerDescription {
    const of = [tools, ...others].map((one) => one.known())
    if (last !== null && of.every((one, at) => one === last?.of[at])) return last.description
    const unread = [tools, ...others].flatMap((one) => one.unread({ graceMs, faultInWords }))
    const description = {
      server: config.name,
      guide: config.guide,
      capabilities: Object.keys(capabilities),
      ...instructionsOf(client),
      tools: tools.items().map((tool) => toolInfo(tool, config)),
      resources: [...resources.items(), ...templates.items()],
      prompts: prompts.items(),
      unread,
    }
    last = { of, description }
    warnOf(description, config, log)
    return description
  }

  return {
    async describe(): Promise<ServerDescription> {
      const all = [tools, ...others]
      // What is announced last is not waited for without end, once the tools are known.
      const rest = Promise.all(others.map((one) => one.ask(AGAIN_MS)))
      const faults = [await tools.ask(0)]
      if (tools.isOffered && faults[0] === null) await Promise.race([rest, after(graceMs)])
      else faults.push(...(await rest))
      const gone = all.map((one) => one.fault()).find((fault) => isSessionGone(fault) || isSignInNeeded(fault))
      const offered = all.filter(({ isOffered }) => isOffered)
      if (gone !== undefined || (offered.length > 0 && offered.every((one) => one.fault() !== null))) {
        for (const one of all) one.forget()
        throw gone ?? faults.find((fault) => fault !== null)
      }
      return compose()
    },
    changed: {
      tools: tools.forget,
      resources: () => {
        resources.forget()
        templates.forget()
      },
      prompts: prompts.forget,
    },
  }
}

export type Offer = ReturnType<typeof openOffer>

type PartWords = { graceMs: number; faultInWords: (fault: unknown) => string }
type Part<Item> = {
  isOffered: boolean
  /** Resolves when the list is known, or failed. A list that failed is asked for again after that time, meanwhile as failed. */
  ask(againMs: number): Promise<unknown>
  known(): unknown
  items(): Item[]
  unread(words: PartWords): Unread[]
  /** null: none is known */
  fault(): unknown
  forget(): void
}

const NO_PART: Part<never> = {
  isOffered: false,
  ask: async () => null,
  known: () => null,
  items: () => [],
  unread: () => [],
  fault: () => null,
  forget: () => {},
}

function openPart<Item>(read: () => Promise<ForeignList<Item>>, key: string): Part<Item> {
  let asked: Promise<ForeignList<Item>> | null = null
  let known: ForeignList<Item> | null = null
  let failedAt = 0
  let isStale = false
  function begin(): Promise<ForeignList<Item>> {
    isStale = false
    const mine = read().then((list) => {
      // A server may say that a list changed while the list is read: what came is better than nothing.
      if (asked === mine || known === null) known = list
      if (list.fault !== null) failedAt = performance.now()
      return list
    })
    asked = mine
    return mine
  }
  return {
    isOffered: true,
    async ask(againMs) {
      if (asked === null || isStale) return (await begin()).fault
      const failed = known?.fault ?? null
      if (failed === null || performance.now() - failedAt < againMs) return (await asked).fault
      const again = begin()
      return againMs > 0 ? failed : (await again).fault
    },
    known: () => known,
    items: () => known?.items ?? [],
    unread({ graceMs, faultInWords }) {
      if (known === null) return [{ why: 'silent', at: key, found: timeInWords(graceMs) }]
      if (known.fault === null) return known.unread
      return [{ why: 'failed', at: key, found: faultInWords(known.fault) }]
    },
    fault: () => known?.fault ?? null,
    forget() {
      isStale = true
    },
  }
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

function warnOf({ tools, unread }: ServerDescription, config: ToolServerConfig, log: ToolLog): void {
  const missing = [...Object.keys(config.tools), ...config.repeat].filter(
    (name) => !tools.some((tool) => tool.name === name),
  )
  if (missing.length > 0)
    log.warn({ server: config.name, tools: missing }, 'configured tools that the server does not have')
  // What it was is said on the page Tools and by doctor: texts of a tool server are not written into the log.
  if (unread.length > 0)
    log.warn({ server: config.name, left: unread.length }, 'a tool server gave what could not be read')
}

/** A tool with the configured rules. `confirm`: a person is asked first; default: unless it is read-only or non-destructive. */
export function toolInfo(tool: OfferedTool, config: ToolServerConfig): ToolInfo {
  const hints = tool.annotations ?? {}
  const readOnly = hints.readOnlyHint === true
  const destructive = !readOnly && hints.destructiveHint !== false
  const idempotent = hints.idempotentHint === true
  const rule = config.tools[tool.name]?.confirm ?? config.confirm
  return {
    server: config.name,
    name: tool.name,
    title: tool.title ?? hints.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    required: namesIn(tool.inputSchema.required),
    readOnly,
    destructive,
    idempotent,
    openWorld: hints.openWorldHint !== false,
    confirm: rule === 'always' || (rule === 'risky' && destructive),
    confirmRule: rule,
    confirmByHand: rule === 'always' || (rule === 'risky' && !readOnly),
    repeatable: readOnly || idempotent || config.repeat.includes(tool.name),
  }
}

function instructionsOf(client: Client): { instructions?: string } {
  const text = client.getInstructions()?.trim() ?? ''
  if (text === '') return {}
  return { instructions: text.length > LONGEST_INSTRUCTIONS ? `${text.slice(0, LONGEST_INSTRUCTIONS)}…` : text }
}

const namesIn = (required: unknown): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
