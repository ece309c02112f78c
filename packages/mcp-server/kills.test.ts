/** The demo from a client of MCP alone, against the program itself, which is killed with -9 between questions and answers. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { sayInLanguage } from '@/lib/mas/words'
import { openProgram, tokenBy } from '@/test/startedProgram'

const TIMEOUT_MS = 240_000
const isWhole = process.env.CONVENE_ALL === '1'
/** The short suite ends with the first answer. */
const KILLS = isWhole ? 2 : 1

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
  const authorization = `Bearer ${await tokenBy(program.url, await program.start(), ['read', 'answer', 'ask'])}`
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
