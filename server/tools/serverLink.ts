/**
 * Owns: the one shared connection to one server: opened on first need, opened anew after it was lost, closed at the end.
 * Not here: calls and their outcomes (pool.ts), what the server offers (describeServer.ts), processes and HTTP (the transports).
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  ErrorCode,
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import packageJson from '@/package.json' with { type: 'json' }
import { ChildTransport } from './childTransport'
import { describeServer } from './describeServer'
import { timeInWords } from './limits'
import { connectRemote } from './remoteTransport'
import { schemaErrorInWords } from './schemaErrors'
import type { ServerDescription, ServerState, ToolLog, ToolServerConfig } from './types'

export type LinkOptions = {
  config: ToolServerConfig
  log: ToolLog
  connectTimeLimitMs: number
  now: () => number
}

/** A live connection; it never comes back to life, another one takes its place. */
export type Connection = { client: Client; child: ChildTransport | null; describe: () => Promise<ServerDescription> }

/** Why there is no connection, in words for a person. */
export class NoConnection extends Error {
  constructor(
    message: string,
    readonly isTimeLimit = false,
  ) {
    super(message)
  }
}

export class ServerLink {
  state: ServerState = 'idle'
  lastError: string | undefined
  private connection: Connection | null = null
  private opening: Promise<Connection> | null = null
  private probing: Promise<void> | null = null
  private starting: ChildTransport | null = null
  private isClosed = false

  constructor(private readonly options: LinkOptions) {}

  /** The live connection, or a new one; all who ask meanwhile wait for the same. faults NoConnection */
  open(): Promise<Connection> {
    if (this.isClosed) return Promise.reject(new NoConnection('the tools are closed'))
    if (this.connection) return Promise.resolve(this.connection)
    this.opening ??= this.connect().finally(() => {
      this.opening = null
    })
    return this.opening
  }

  /** Give up a connection that does not serve any more; the next open() makes another. */
  drop(connection: Connection, reason: string): void {
    if (this.connection !== connection) return
    this.lose(connection, reason)
    connection.child?.kill()
    void connection.client.close().catch(() => {})
  }

  /**
   * After a call that hit its time limit: is the server still there at all?
   * One that cannot even answer a ping would let every later call wait for nothing.
   */
  probe(connection: Connection): void {
    if (!connection.child || this.probing) return
    const timeout = this.options.connectTimeLimitMs
    this.probing = connection.client
      .ping({ timeout })
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

  async close(): Promise<void> {
    this.isClosed = true
    const connection = this.connection
    this.connection = null
    this.state = 'idle'
    // A remote server that is being reached needs no waiting for: connect() closes what comes too late.
    await Promise.all([connection?.client.close(), this.starting?.close()])
  }

  private async connect(): Promise<Connection> {
    const { config, log, now } = this.options
    const startedAt = now()
    this.state = 'connecting'
    try {
      const connection = await (config.command === undefined
        ? this.connectToRemote()
        : this.connectToChild(config.command))
      if (this.isClosed) {
        await connection.client.close()
        throw new NoConnection('the tools are closed')
      }
      this.connection = connection
      this.state = 'connected'
      this.lastError = undefined
      log.info({ server: config.name, durationMs: now() - startedAt }, 'tool server connected')
      return connection
    } catch (error) {
      const fault = this.inWords(error)
      this.state = this.isClosed ? 'idle' : 'failed'
      this.lastError = fault.message
      if (!this.isClosed) log.warn({ server: config.name, reason: fault.message }, 'tool server not reached')
      throw fault
    }
  }

  private async connectToChild(command: string): Promise<Connection> {
    const { config, log, connectTimeLimitMs } = this.options
    const child = new ChildTransport({
      command,
      args: config.args ?? [],
      env: config.env ?? {},
      onWords: (line) => log.debug({ server: config.name, line }, 'tool server wrote to stderr'),
    })
    this.starting = child
    const client = this.makeClient()
    try {
      await client.connect(child, { timeout: connectTimeLimitMs })
    } catch (error) {
      const fault = this.inWords(error)
      // What it said last is complete only once it has ended; how it ends after a time limit is our own doing.
      await child.close()
      const words = fault.isTimeLimit ? child.lastLine : child.lastWords
      throw new NoConnection(words === undefined ? fault.message : `${fault.message}: ${words}`, fault.isTimeLimit)
    } finally {
      this.starting = null
    }
    return this.asConnection(client, child)
  }

  private async connectToRemote(): Promise<Connection> {
    const { config, connectTimeLimitMs } = this.options
    if (config.baseurl === undefined) throw new NoConnection('it has neither a command nor a baseurl')
    if (!URL.canParse(config.baseurl)) throw new NoConnection(`the baseurl "${config.baseurl}" is no address`)
    const client = await connectRemote({
      baseurl: config.baseurl,
      makeClient: () => this.makeClient(),
      timeLimitMs: connectTimeLimitMs,
    })
    return this.asConnection(client, null)
  }

  private makeClient(): Client {
    return new Client({ name: packageJson.name, version: packageJson.version })
  }

  private asConnection(client: Client, child: ChildTransport | null): Connection {
    const { config, log, connectTimeLimitMs } = this.options
    let description: Promise<ServerDescription> | null = null
    const connection: Connection = {
      client,
      child,
      describe: () => {
        if (description) return description
        const asked = describeServer(client, config, { log, timeLimitMs: connectTimeLimitMs })
        description = asked
        // A failed description is asked for again by the next one who needs it.
        asked.catch(() => {
          if (description === asked) description = null
        })
        return asked
      },
    }
    for (const changed of [
      ToolListChangedNotificationSchema,
      ResourceListChangedNotificationSchema,
      PromptListChangedNotificationSchema,
    ]) {
      client.setNotificationHandler(changed, () => {
        description = null
      })
    }
    client.onclose = () => this.lose(connection, child?.lastWords ?? 'the connection was closed')
    client.onerror = (error) => log.debug({ server: config.name, error: error.message }, 'tool server trouble')
    return connection
  }

  private lose(connection: Connection, reason: string): void {
    if (this.connection !== connection) return
    this.connection = null
    this.state = 'failed'
    this.lastError = reason
    this.options.log.warn({ server: this.options.config.name, reason }, 'tool server lost')
  }

  /** Any error on the way to a description, as a person can read it. */
  inWords(error: unknown): NoConnection {
    if (error instanceof NoConnection) return error
    if (isTimeout(error)) {
      return new NoConnection(`it did not answer within ${timeInWords(this.options.connectTimeLimitMs)}`, true)
    }
    if (error instanceof McpError && error.code === ErrorCode.ConnectionClosed)
      return new NoConnection('it ended before it was ready')
    const malformed = schemaErrorInWords(error)
    if (malformed !== null) return new NoConnection(`it answered in a form that MCP does not allow: ${malformed}`)
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return new NoConnection(`${error instanceof Error ? error.message : String(error)}${cause}`)
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof McpError && error.code === ErrorCode.RequestTimeout
}
