/**
 * The client that a conformance suite of MCP drives: `mcp-conformance-client <url of the suite's server>`.
 *
 * Exit 0 when all was done, 1 with the reason; never a hung connection.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldsIn } from '@/lib/json'
import type { OAuthSettings } from '@/server/shared/toolServer'
import {
  type CallAnswers,
  openToolPool,
  signInFiles,
  type ToolFault,
  type ToolLog,
  type ToolOutcome,
} from '@/server/tools'

const SERVER = 'conformance'
const REDIRECT = 'http://127.0.0.1:3000/api/tools/oauth/callback'
/** A server that wants ever more rights is left after this many sign-ins for one call. */
const MOST_SIGN_INS = 2
const MOST_ROUNDS = 5
const LIMIT_MS = 45_000

/** What the suite knows about the scenario: credentials that were agreed on beforehand. */
type Context = {
  client_id?: string
  client_secret?: string
  private_key_pem?: string
  signing_algorithm?: string
  toolCalls?: { name: string; arguments: Record<string, unknown> }[]
}

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''

function settingsOf(context: Context): OAuthSettings {
  const shared = {
    clientId: context.client_id,
    clientSecret: context.client_secret,
    privateKey: context.private_key_pem,
    algorithm: context.signing_algorithm,
  }
  if (scenario.includes('client-credentials')) return { grant: 'client_credentials', ...shared }
  return {
    grant: 'authorization_code',
    ...shared,
    // The address that the suite knows as ours.
    ...(scenario.includes('cimd') ? { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' } : {}),
  }
}

/** Something of the right kind for each property that a schema names. */
function argumentsOf(inputSchema: unknown): Record<string, unknown> {
  const { properties, required } = fieldsIn(inputSchema)
  const named = Array.isArray(required) ? required : []
  const given = Object.entries(fieldsIn(properties)).filter(([name]) => named.includes(name))
  return Object.fromEntries(given.map(([name, schema]) => [name, SOMETHING[String(fieldsIn(schema).type)] ?? 'text']))
}
const SOMETHING: Record<string, unknown> = { number: 5, integer: 5, boolean: true, object: {}, array: [], null: null }

const say = (_data: Record<string, unknown>, message: string): void => {
  process.stderr.write(`${message}\n`)
}
const log: ToolLog = { debug: () => {}, info: () => {}, warn: say, error: say }

async function main(url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'convene-conformance-'))
  const context: Context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
  const config = {
    name: SERVER,
    baseurl: url,
    guide: '',
    confirm: 'never' as const,
    sampling: 'always' as const,
    repeat: [],
    tools: {},
    oauth: settingsOf(context),
  }
  const pool = openToolPool([config], { log, signIn: { keeping: signInFiles(folder), redirectUrl: () => REDIRECT } })

  /** Do it; where that needs a sign-in, sign in as a person with a browser would, and do it again. */
  async function withSignIn<Outcome extends { ok: true } | ToolFault>(work: () => Promise<Outcome>): Promise<Outcome> {
    for (let signIns = 0; ; signIns += 1) {
      const outcome = await work()
      if (outcome.ok || pool.servers()[0]?.state !== 'needs_sign_in' || signIns === MOST_SIGN_INS) return outcome
      await signIn()
    }
  }

  async function signIn(): Promise<void> {
    const begun = await pool.signIn(SERVER)
    if (!begun.ok) throw new Error(begun.message)
    if (begun.url === null) return
    const page = await fetch(begun.url, { redirect: 'manual' })
    const back = new URL(page.headers.get('location') ?? '', REDIRECT)
    const given = (name: string): string | undefined => back.searchParams.get(name) ?? undefined
    const answer = { state: given('state') ?? '', code: given('code') ?? '', iss: given('iss') }
    const finished = await pool.finishSignIn(answer)
    if (!finished.ok) throw new Error(finished.message)
  }

  /** What a server asks between two calls is answered at once. */
  async function withInput(send: (answers: { answers?: CallAnswers }) => Promise<ToolOutcome>): Promise<ToolOutcome> {
    let outcome = await send({})
    for (let round = 0; round < MOST_ROUNDS && !outcome.ok && outcome.input !== undefined; round += 1) {
      const { questions, state } = outcome.input
      const accepted = questions.map(({ key }) => [key, { action: 'accept', content: { confirmed: true } }])
      outcome = await send({ answers: { answers: Object.fromEntries(accepted), state } })
    }
    return outcome
  }

  try {
    const described = await withSignIn(() => pool.describe(SERVER))
    if (!described.ok) throw new Error(described.message)
    const { tools } = described.description
    const calls =
      context.toolCalls ?? tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsOf(inputSchema) }))
    for (const { name, arguments: given } of calls) {
      // Null is the same as nothing; a schema may allow only the latter.
      const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
      // One scenario wants to see a schema as it was read.
      const [focal] = tools
      const call = {
        kind: 'tool' as const,
        name,
        arguments: name === 'json_schema_echo' ? { schema: focal?.inputSchema } : args,
      }
      const asks = {
        question: async () => ({ action: 'accept' as const, content: {} }),
        sample: async () => ({ ok: true as const, text: 'yes', model: 'none', stop: 'endTurn' as const }),
      }
      const outcome = await withInput((answers) => withSignIn(() => pool.call(SERVER, call, { asks, ...answers })))
      // What does not fit a schema is not sent; other calls are.
      if (!outcome.ok && outcome.code === 'TOOL_ARGUMENTS') continue
      if (!outcome.ok) throw new Error(outcome.message)
      process.stdout.write(`${name}: ${JSON.stringify(outcome.result.content)}\n`)
    }
  } finally {
    await pool.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const url = process.argv.at(-1) ?? ''
const tooLong = setTimeout(() => {
  process.stderr.write('it took too long\n')
  process.exit(1)
}, LIMIT_MS)
main(url)
  .then(() => 0)
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  })
  .then((code) => {
    clearTimeout(tooLong)
    process.exit(code)
  })
