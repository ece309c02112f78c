/** The demo from a client of MCP alone, against the program itself, which is killed with -9 between questions and answers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { sayInLanguage } from '@/lib/mas/words'
import { writeShells } from '@/server/gateway/test/gatewayDouble'
import { builtProgram } from '@/test/programs'

const TIMEOUT_MS = 240_000
const isWhole = process.env.CONVENE_ALL === '1'
/** The short suite ends with the first answer. */
const KILLS = isWhole ? 2 : 1

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** The program on a folder of its own with the shipped team. */
async function openProgram() {
  const program = await builtProgram('server/main.ts')
  const folder = await mkdtemp(join(tmpdir(), 'convene-mcp-'))
  await writeShells(folder)
  for (const name of ['samples', 'prompts', 'node_modules']) await symlink(resolve(name), join(folder, name))
  await cp('samples/prices', join(folder, 'workspace', 'prices'), { recursive: true })
  const port = await freePort()
  let child: ChildProcess | null = null
  onTestFinished(async () => {
    child?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const env = {
    ...process.env,
    CONVENE_CONFIG: resolve('config/convene.yaml'),
    CONVENE_DATA: join(folder, 'data'),
    CONVENE_WORKSPACE: join(folder, 'workspace'),
    PORT: String(port),
    HOST: '127.0.0.1',
  }
  return {
    url: `http://127.0.0.1:${port}`,
    /** out: the token of the sign-in link that it prints while no operator has a password */
    async start(): Promise<string> {
      const started = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
      child = started
      const lines = createInterface({ input: started.stdout })
      for await (const line of lines) {
        const link = /#link=(\S+)/.exec(line)?.[1]
        if (link !== undefined) return link
      }
      throw new Error('the program did not start')
    },
    async kill(): Promise<void> {
      const ended = child && once(child, 'close')
      child?.kill('SIGKILL')
      await ended
    },
  }
}

async function tokenBy(url: string, link: string): Promise<string> {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const signedIn = await post('/api/sessions/link', { token: link })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const made = await post(
    '/api/me/tokens',
    { name: 'a client', scopes: ['read', 'answer', 'ask'], days: 1 },
    { cookie },
  )
  return z.object({ token: z.string() }).parse(await made.json()).token
}

const put = z.looseObject({
  resultType: z.literal('input_required'),
  requestState: z.string(),
  inputRequests: z.record(
    z.string(),
    z.looseObject({
      params: z.looseObject({
        message: z.string(),
        requestedSchema: z.looseObject({
          properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })),
        }),
      }),
    }),
  ),
})
const shown = z.looseObject({
  structuredContent: z.looseObject({
    task: z.string(),
    state: z.string().optional(),
    notes: z.unknown().optional(),
    result: z.looseObject({ summary: z.string().nullable(), files: z.array(z.string()) }).optional(),
  }),
})
const waits = z.looseObject({
  structuredContent: z.looseObject({ requests: z.array(z.looseObject({ id: z.string() })) }),
})

it('[R790] the demo comes to its end from a client of MCP alone, which is asked which price holds, over two kills', {
  timeout: TIMEOUT_MS,
}, async () => {
  const program = await openProgram()
  const authorization = `Bearer ${await tokenBy(program.url, await program.start())}`
  const client = new Client(
    { name: 'a test', version: '1' },
    {
      versionNegotiation: { mode: 'auto' },
      inputRequired: { autoFulfill: false },
      capabilities: { elicitation: { form: {} } },
    },
  )
  const requestInit = { headers: { authorization } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${program.url}/mcp`), { requestInit }))
  onTestFinished(() => client.close())
  const call = (name: string, args: Record<string, unknown>, more: object = {}): Promise<unknown> =>
    client.callTool({ name, arguments: args, ...more }, { allowInputRequired: true })

  const goal = sayInLanguage('en', 'demoWork', { folder: 'prices' })
  const { task } = shown.parse(await call('ask_for_work', { goal })).structuredContent
  const messages: string[] = []
  const answered: string[] = []
  let more: object = {}
  for (let kills = 0; ; ) {
    const answer = await call('get_task', { task, wait_s: 25 }, more)
    const asked = put.safeParse(answer)
    if (!isWhole && kills === KILLS) {
      const { requests } = waits.parse(await call('list_waiting', {})).structuredContent
      expect(requests.filter(({ id }) => answered.includes(id))).toEqual([])
      return
    }
    if (!asked.success) {
      const { state, result, notes } = shown.parse(answer).structuredContent
      expect(notes).toBeUndefined()
      more = {}
      if (state !== 'finished') continue
      expect(kills).toBe(KILLS)
      expect(messages.join('\n')).toMatch(/which|price/i)
      expect(result?.summary).toBeTruthy()
      const [path = ''] = result?.files ?? []
      const file = z.looseObject({ structuredContent: z.looseObject({ text: z.string() }) })
      expect(file.parse(await call('read_file', { path })).structuredContent.text).toContain('|')
      return
    }
    const { inputRequests, requestState } = asked.data
    if (kills < KILLS) {
      kills += 1
      await program.kill()
      await program.start()
    }
    const inputResponses = Object.fromEntries(
      Object.entries(inputRequests).map(([id, { params }]) => {
        messages.push(params.message)
        answered.push(id)
        const fields = Object.entries(params.requestedSchema.properties).filter(([name]) => name !== 'reason')
        const content = Object.fromEntries(fields.map(([name, field]) => [name, field.enum?.[0] ?? 'OK']))
        return [id, { action: 'accept', content }]
      }),
    )
    more = { inputResponses, requestState }
  }
})
