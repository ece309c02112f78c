/** The environment variables that the server reads. */
import { resolve } from 'node:path'
import type { Problem } from './ConfigError'

export type Environment = Readonly<Record<string, string | undefined>>

export type Surroundings = {
  /** The configuration file; absolute. */
  file: string
  host: string
  /** 0: any free one. */
  port: number
  /** PUBLIC_URL without a trailing slash; null: not set. */
  publicUrl: string | null
  /** null: the embedded store. */
  databaseUrl: string | null
  /** Connections to PostgreSQL; undefined: the store's default. */
  sessions: number | undefined
  /** The name of this process among the nodes. */
  node: string
  /** `host:port` at which other nodes reach this one; null: HOST, at any free port. */
  nodeAddress: string | null
  /** Has this node the workspace that all share? Without it, it runs the steps that need no files, and nothing else. */
  hasFiles: boolean
  /** Absolute. */
  dataFolder: string
  /** The folder of files that agents may read and people can see; absolute. */
  workspaceFolder: string
  /** CONVENE_TRUST_CLOCK=1: an operator says that the clock of the machine is right. */
  trustsClock: boolean
  /** CONVENE_BENCH=1: calls and connections have no limits, for measurements. */
  bench: boolean
}

/** folder: the base of relative paths. An empty variable counts as not set. */
export function readEnvironment(env: Environment, folder: string): { surroundings: Surroundings; problems: Problem[] } {
  const problems: Problem[] = []
  const given = (name: string): string | null => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const refuse = (at: string, message: string, hint: string): void => {
    problems.push({ file: 'environment', line: null, column: null, at, message, hint })
  }

  const portText = given('PORT') ?? '3000'
  const port = Number(portText)
  if (!/^\d+$/.test(portText) || port > 65_535)
    refuse('PORT', `"${portText}" is not a port`, 'A number from 0 to 65535; 0 takes any free one.')

  const publicUrl = given('PUBLIC_URL')?.replace(/\/+$/, '') ?? null
  if (publicUrl !== null && !isOrigin(publicUrl)) {
    refuse(
      'PUBLIC_URL',
      `"${publicUrl}" is not the address of a site`,
      'Such as https://convene.example.org, without a path.',
    )
  }
  const databaseUrl = given('DATABASE_URL')
  // The value may hold a password, so the message does not repeat it.
  if (databaseUrl !== null && !(/^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl))) {
    refuse(
      'DATABASE_URL',
      'is not the address of a PostgreSQL database',
      'Such as postgres://user@host/name; leave it unset for the embedded store.',
    )
  }
  const sessions = given('DATABASE_SESSIONS')
  if (sessions !== null && !/^[1-9]\d{0,2}$/.test(sessions))
    refuse('DATABASE_SESSIONS', `"${sessions}" is no number of sessions`, 'From 1 to 999; 10 when it is not set.')
  const node = given('CONVENE_NODE') ?? 'node-1'
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(node)) {
    refuse('CONVENE_NODE', `"${node}" is not a name for a node`, 'Letters, digits, "_", "-" and "."; 64 at most.')
  }
  const nodeAddress = given('CONVENE_NODE_ADDRESS')
  const nodePort = Number(/^(?:\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(nodeAddress ?? '')?.[1] ?? Number.NaN)
  if (nodeAddress !== null && !(nodePort <= 65_535))
    refuse('CONVENE_NODE_ADDRESS', `"${nodeAddress}" is not an address`, 'Such as node-a.example:3900.')
  const nodeTools = given('CONVENE_NODE_TOOLS') ?? 'all'
  const hasFiles = nodeTools !== 'no-files'
  if (hasFiles && nodeTools !== 'all')
    refuse(
      'CONVENE_NODE_TOOLS',
      `"${nodeTools}" is unknown`,
      'all, or no-files for a node without the shared workspace.',
    )
  if (!hasFiles && (databaseUrl === null || given('CONVENE_SECRET_KEY') === null))
    refuse(
      'CONVENE_NODE_TOOLS',
      'no-files is for one of several nodes, and alone nobody would have the files',
      'Leave it unset, or set DATABASE_URL and CONVENE_SECRET_KEY as at the other nodes.',
    )
  const surroundings = {
    file: resolve(folder, given('CONVENE_CONFIG') ?? 'config/convene.yaml'),
    host: given('HOST') ?? '127.0.0.1',
    port,
    publicUrl,
    databaseUrl,
    sessions: sessions === null ? undefined : Number(sessions),
    node,
    nodeAddress,
    hasFiles,
    dataFolder: resolve(folder, given('CONVENE_DATA') ?? '.convene'),
    workspaceFolder: resolve(folder, given('CONVENE_WORKSPACE') ?? 'workspace'),
    trustsClock: given('CONVENE_TRUST_CLOCK') === '1',
    bench: given('CONVENE_BENCH') === '1',
  }
  return { surroundings, problems }
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === text.toLowerCase()
}
