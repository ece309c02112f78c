import { setTimeout } from 'node:timers/promises'
import { auth, Client, type ConnectOptions } from '@modelcontextprotocol/client'
import packageJson from '@/package.json' with { type: 'json' }
import { errorMessage } from '@/server/shared/errors'
import { outsideCalls, RunningCalls } from '../calls/openCalls'
import { isClosed, isTimeout, saidIn } from '../foreign/mcpErrors'
import { timeInWords } from '../limits'
import { schemaErrorInWords } from '../schemas/schemaErrors'
import { ChildTransport } from '../transports/childTransport'
import { outboundFetch } from '../transports/outboundFetch'
import { AS_OLDER, connectRemote, endRemoteSession, isSignInNeeded, isUndecided } from '../transports/remoteTransport'
import type { ServerDescription, ToolLog, ToolServerConfig, ToolServerState } from '../types'
import { type Offer, openOffer } from './describeServer'
import { answerServer, capabilitiesFor } from './serverRequests'
import type { ToolServerSignIn } from './signIn'

type LinkOptions = {
  config: ToolServerConfig
  log: ToolLog
  connectTimeLimitMs: number
  graceMs?: number | undefined
  signIn?: ToolServerSignIn
}

/** A live connection; once closed it is replaced by another. */
export type ServerConnection = {
  client: Client
  child: ChildTransport | null
  /** The server runs in this process. */
  isInside: boolean
  /** Running calls; the server's questions belong to one of them. */
  calls: RunningCalls
  describe: () => Promise<ServerDescription>
}

/** Until changes of lists are listened for again. */
const LISTEN_AGAIN_MS = 30_000

export const SIGN_IN_NEEDED = 'it needs a sign-in, which an operator can do in the settings'

/** Why there is no connection, for a person to read. */
class NoConnection extends Error {
  constructor(
    message: string,
    readonly isTimeLimit = false,
  ) {
    super(message)
  }
}

export class ServerLink {
  lastError: string | undefined
  private reached: Exclude<ToolServerState, 'needs_sign_in'> = 'idle'
  private connection: ServerConnection | null = null
  private opening: Promise<ServerConnection> | null = null
  private probing: Promise<void> | null = null
  private starting: ChildTransport | null = null
  private isClosed = false

  constructor(private readonly options: LinkOptions) {}

  get state(): ToolServerState {
    return this.reached !== 'connected' && this.signInUrl() !== null ? 'needs_sign_in' : this.reached
  }

  /** The page that a person must open first; null: none. */
  signInUrl(): string | null {
    return this.options.signIn?.pendingUrl() ?? null
  }

  /** The live connection, or a new one shared by all who ask. Throws NoConnection. */
  open(): Promise<ServerConnection> {
    if (this.isClosed) return Promise.reject(new NoConnection('the tools are closed'))
    if (this.connection) return Promise.resolve(this.connection)
    // A new attempt would replace the page that a person may have open.
    if (this.signInUrl() !== null) return Promise.reject(new NoConnection(SIGN_IN_NEEDED))
    this.opening ??= this.connect().finally(() => {
      this.opening = null
    })
    return this.opening
  }

  /** Discard a broken connection; the next open() makes another. */
  drop(connection: ServerConnection, reason: string): void {
    if (this.connection !== connection) return
    this.lose(connection, reason)
    connection.child?.kill()
    void connection.client.close().catch(() => {})
  }

  /** After a time limit: discards a server that does not answer a ping. */
  probe(connection: ServerConnection): void {
    if (!connection.child || this.probing) return
    const timeout = this.options.connectTimeLimitMs
    const { client } = connection
    const answer = client.getProtocolEra() === 'modern' ? client.discover({ timeout }) : client.ping({ timeout })
    this.probing = answer
      .then(
        () => {},
        (error: unknown) => {
          if (!isTimeout(error)) return
          this.drop(connection, `stopped answering (no answer to a ping within ${timeInWords(timeout)})`)
        },
      )
      .finally(() => {
        this.probing = null
      })
  }

  /** The sign-in page returned this code: exchange it for tokens and connect. out: the problem; null: none */
  async finishSignIn({ code, iss }: { code: string; iss?: string | undefined }): Promise<string | null> {
    const { config, signIn } = this.options
    if (config.baseurl === undefined || signIn === undefined) return 'there is nothing to sign in to'
    try {
      const url = new URL(config.baseurl)
      const fetchFn = outboundFetch(url, config.headers ?? {})
      await auth(signIn.provider, { serverUrl: url, authorizationCode: code, iss, fetchFn })
      signIn.forgetPending()
      await this.open()
      return null
    } catch (error) {
      const { message } = this.inWords(error)
      this.options.log.warn({ server: config.name, reason: message }, 'the sign-in at a tool server failed')
      return message
    }
  }

  async close(): Promise<void> {
    this.isClosed = true
    const connection = this.connection
    this.connection = null
    this.reached = 'idle'
    if (connection) await endRemoteSession(connection.client)
    // A pending connection to a remote server is not awaited: connect() closes it when it arrives too late.
    await Promise.all([connection?.client.close(), this.starting?.close()])
  }

  private async connect(): Promise<ServerConnection> {
    const { config, log } = this.options
    const startedAt = Date.now()
    this.reached = 'connecting'
    try {
      // Messages on a shared connection belong to no call, not even to the one that opened it.
      const connection = await outsideCalls(() =>
        config.inside !== undefined
          ? this.connectInside(config.inside)
          : config.command === undefined
            ? this.connectToRemote()
            : this.connectToChild(config.command),
      )
      if (this.isClosed) {
        await connection.client.close()
        throw new NoConnection('the tools are closed')
      }
      this.connection = connection
      this.reached = 'connected'
      this.lastError = undefined
      log.info({ server: config.name, durationMs: Date.now() - startedAt }, 'tool server connected')
      return connection
    } catch (error) {
      const fault = this.inWords(error)
      this.reached = this.isClosed ? 'idle' : 'failed'
      this.lastError = fault.message
      if (!this.isClosed) log.warn({ server: config.name, reason: fault.message }, 'tool server not reached')
      throw fault
    }
  }

  /** A program that ends at the first request, as some of older revisions do at one that they do not know, is started again. */
  private async connectToChild(command: string): Promise<ServerConnection> {
    try {
      return await this.startChild(command, {})
    } catch (error) {
      if (this.isClosed || !isUndecided(error)) throw this.inWords(error)
      return await this.startChild(command, AS_OLDER)
    }
  }

  private async startChild(command: string, how: Pick<ConnectOptions, 'prior'>): Promise<ServerConnection> {
    const { config, log, connectTimeLimitMs } = this.options
    const child = new ChildTransport({
      command,
      args: config.args ?? [],
      env: config.env ?? {},
      onWords: (line) => log.debug({ server: config.name, line }, 'tool server wrote to stderr'),
    })
    this.starting = child
    const calls = new RunningCalls()
    const client = this.makeClient(calls)
    try {
      await client.connect(child, { timeout: connectTimeLimitMs, ...how })
    } catch (error) {
      if (how.prior === undefined && isUndecided(error)) {
        await child.close()
        throw error
      }
      const fault = this.inWords(error)
      // The last output is complete only after the end; after a time limit the exit is our own doing.
      await child.close()
      const words = fault.isTimeLimit ? child.lastLine : child.lastOutput
      throw new NoConnection(words === undefined ? fault.message : `${fault.message}: ${words}`, fault.isTimeLimit)
    } finally {
      this.starting = null
    }
    return this.asConnection(client, child, calls)
  }

  private async connectToRemote(): Promise<ServerConnection> {
    const { config, connectTimeLimitMs } = this.options
    if (config.baseurl === undefined) throw new NoConnection('it has neither a command nor a baseurl')
    if (!URL.canParse(config.baseurl)) throw new NoConnection(`the baseurl "${config.baseurl}" is no address`)
    const calls = new RunningCalls()
    const client = await connectRemote({
      baseurl: config.baseurl,
      makeClient: () => this.makeClient(calls),
      timeLimitMs: connectTimeLimitMs,
      headers: config.headers ?? {},
      allowPrivate: config.allowPrivate,
      authProvider: this.options.signIn?.provider,
    })
    return this.asConnection(client, null, calls)
  }

  private async connectInside(open: NonNullable<ToolServerConfig['inside']>): Promise<ServerConnection> {
    const calls = new RunningCalls()
    const client = this.makeClient(calls)
    await client.connect(await open(), { timeout: this.options.connectTimeLimitMs })
    return this.asConnection(client, null, calls)
  }

  private makeClient(calls: RunningCalls): Client {
    const { config, log } = this.options
    const about = { name: packageJson.name, version: packageJson.version }
    const client = new Client(about, {
      capabilities: capabilitiesFor(config),
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.ceil(this.options.connectTimeLimitMs / 2) } },
      inputRequired: { autoFulfill: false },
    })
    answerServer(client, config, calls, log)
    return client
  }

  private asConnection(client: Client, child: ChildTransport | null, calls: RunningCalls): ServerConnection {
    const { config, log, connectTimeLimitMs, graceMs } = this.options
    const faultInWords = (fault: unknown): string => this.inWords(fault).message
    const offer = openOffer(client, config, { log, timeLimitMs: connectTimeLimitMs, graceMs, faultInWords })
    const connection: ServerConnection = {
      client,
      child,
      isInside: config.inside !== undefined,
      calls,
      describe: offer.describe,
    }
    const { tools, resources, prompts } = offer.changed
    client.setNotificationHandler('notifications/tools/list_changed', tools)
    client.setNotificationHandler('notifications/resources/list_changed', resources)
    client.setNotificationHandler('notifications/prompts/list_changed', prompts)
    void this.watchLists(connection, offer.changed)
    client.onclose = () => this.lose(connection, child?.lastOutput ?? 'the connection was closed')
    client.onerror = (error) => log.debug({ server: config.name, error: error.message }, 'tool server trouble')
    return connection
  }

  /**
   * In the stateless revision changes of lists come on a stream of their own. Where it ends, something may have changed unnoticed:
   * the lists are asked for again, and another stream is opened after a while.
   */
  private async watchLists({ client }: ServerConnection, changed: Offer['changed']): Promise<void> {
    const { tools, resources, prompts } = client.getServerCapabilities() ?? {}
    const filter = {
      ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
    }
    if (client.getProtocolEra() !== 'modern' || Object.keys(filter).length === 0) return
    while (client.transport !== undefined && !this.isClosed) {
      try {
        const { closed } = await client.listen(filter, { timeout: this.options.connectTimeLimitMs })
        if ((await closed) === 'local') return
        for (const forget of Object.values(changed)) forget()
      } catch (error) {
        this.options.log.debug({ server: this.options.config.name, error: errorMessage(error) }, 'tool server trouble')
      }
      await setTimeout(LISTEN_AGAIN_MS, undefined, { ref: false })
    }
  }

  private lose(connection: ServerConnection, reason: string): void {
    if (this.connection !== connection) return
    this.connection = null
    this.reached = 'failed'
    this.lastError = reason
    this.options.log.warn({ server: this.options.config.name, reason }, 'tool server lost')
  }

  /** An error on the way to a description, for a person to read. */
  inWords(error: unknown): NoConnection {
    if (error instanceof NoConnection) return error
    if (isSignInNeeded(error)) return new NoConnection(SIGN_IN_NEEDED)
    if (isTimeout(error)) {
      return new NoConnection(`it did not answer within ${timeInWords(this.options.connectTimeLimitMs)}`, true)
    }
    if (isClosed(error)) return new NoConnection('it ended before it was ready')
    const malformed = schemaErrorInWords(error)
    if (malformed !== null) return new NoConnection(`it answered in a form that MCP does not allow: ${malformed}`)
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return new NoConnection(`${error instanceof Error ? saidIn(error) : errorMessage(error)}${cause}`)
  }
}
