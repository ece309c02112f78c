/** states as the documents fix it: each field of each kind, and who reads what. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type MessageId, type StageId } from '@/lib/mas/ids'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { type Double, openDouble } from '../test/gatewayDouble'
import { facts, ID } from '../test/world'

const send = (more: object = {}) => ({
  human_agent_id: ID.ben,
  task_id: ID.prices,
  receiver: [ID.reader],
  content: '3.20 holds',
  ...more,
})

const states = async ({ call }: Pick<Double, 'call'>, cookie: string, query: string) =>
  (await call('GET', `/api/states?${query}`, { cookie })).json as Record<string, Record<string, unknown>>

describe('states', () => {
  it('needs a session and a type that is one', async () => {
    const { call, signIn } = await openDouble()
    expect((await call('GET', '/api/states?type=task')).json).toMatchObject({ success: false, error: 'NOT_SIGNED_IN' })
    const cookie = await signIn('ana')
    for (const query of ['', '?type=world', '?type=task&limit=0', '?type=task&limit=x']) {
      expect((await call('GET', `/api/states${query}`, { cookie })).json).toMatchObject({
        success: false,
        error: 'BAD_INPUT',
      })
    }
    expect((await call('GET', '/api/states?type=task&task=nothing', { cookie })).status).toBe(404)
  })

  it('[R99] a page begins after the state that is named; one that the list does not hold is refused, and nothing is listed', async () => {
    const double = await openDouble()
    const [ana, ben] = [await double.signIn('ana'), await double.signIn('ben')]
    const refusal = {
      success: false,
      error: 'BAD_INPUT',
      message: 'after: not a cursor of this list; begin again without it',
    }
    for (const type of ['task', 'stage', 'agent', 'step']) {
      const all = Object.keys(await states(double, ana, `type=${type}`))
      const page = (id: string | undefined) => states(double, ana, `type=${type}&after=${id}`)
      expect(Object.keys(await page(all[0]))).toEqual(all.slice(1))
      expect(Object.keys(await page(all[0]?.split('_')[1]))).toEqual(all.slice(1))
      expect(await page(all.at(-1))).toEqual({})
      expect(await page('nothing')).toMatchObject(refusal)
      expect((await double.call('GET', `/api/states?type=${type}&after=nothing`, { cookie: ana })).status).toBe(400)
    }
    // In the lists of somebody else, of another task and of another kind it is no cursor either.
    expect(await states(double, ana, `type=task&after=TaskState_${ID.secret}`)).toEqual({})
    expect(await states(double, ben, `type=task&after=TaskState_${ID.secret}`)).toMatchObject(refusal)
    expect(await states(double, ana, `type=step&task=${ID.prices}&after=${ID.secretStep}`)).toMatchObject(refusal)
    expect(await states(double, ana, `type=stage&after=${ID.prices}`)).toMatchObject(refusal)
  })

  it('shows every field of a task, with instructions in the text and times in ISO 8601', async () => {
    const double = await openDouble()
    const all = await states(double, await double.signIn('ana'), 'type=task')
    expect(Object.keys(all)).toEqual([ID.base, ID.prices, ID.secret].map((id) => `TaskState_${id}`))
    expect(all[`TaskState_${ID.prices}`]).toMatchObject({
      task_id: ID.prices,
      task_name: 'Prices',
      task_intention: 'Prices, whole',
      task_manager: ID.manager,
      task_group: [ID.manager, ID.reader, ID.ben, ID.ana],
      shared_info_pool: [],
      communication_queue: [],
      shared_conversation_pool: [
        {
          task_id: ID.prices,
          sender_id: 'system:task',
          receiver: [ID.reader],
          message: `The stage has begun\n<instruction>{"start_stage":{"stage_id":"${ID.stage}","task_id":"${ID.prices}"}}</instruction>`,
          stage_relative: ID.stage,
          need_reply: false,
          waiting: null,
          return_waiting_id: null,
          message_id: ID.start,
          timestamp: '2026-11-21T10:00:00.000Z',
        },
        { message_id: ID.question, waiting: ['w-1'], need_reply: true },
      ],
      stage_list: [ID.stage],
      execution_state: 'running',
      task_summary: null,
    })
  })

  it('shows every field of a stage, an agent and a step', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ana')
    expect((await states(double, cookie, `type=stage&task=${ID.prices}`))[`StageState_${ID.stage}`]).toMatchObject({
      task_id: ID.prices,
      stage_id: ID.stage,
      stage_intention: 'read the lists',
      agent_allocation: { [ID.reader]: 'read' },
      execution_state: 'running',
      every_agent_state: { [ID.reader]: expect.any(String) },
      completion_summary: {},
    })
    const agents = await states(double, cookie, 'type=agent')
    expect(Object.keys(agents).map((key) => key.split('_')[0])).toEqual([
      ...Array(2).fill('LLMAgent'),
      ...Array(4).fill('HumanAgent'),
    ])
    expect(agents[`LLMAgent_${ID.reader}`]).toMatchObject({
      agent_id: ID.reader,
      name: 'Reader',
      role: 'tester',
      profile: '',
      working_state: 'working',
      llm_config: { name: 'default', provider: 'rehearsal', temperature: 0 },
      working_memory: {
        [ID.prices]: { [ID.stage]: [ID.step, ID.toolStep] },
        [ID.secret]: { no_relative: [ID.secretStep] },
      },
      persistent_memory: { '20261121T102109': '### secret note', '20261121T102110': '### open note' },
      agent_step: { todo_list: [ID.secretStep], step_list: [ID.step, ID.toolStep, ID.secretStep, ID.badStep] },
      step_lock: [],
      tools: ['files'],
      skills: ['all'],
    })
    expect(agents[`LLMAgent_${ID.reader}`]).not.toHaveProperty('human_config')
    expect(agents[`LLMAgent_${ID.reader}`]).not.toHaveProperty('conversation_pool')
    for (const key of ['llm_config', 'step_lock', 'waits_for', 'running_step', 'may_wait'])
      expect(agents[`HumanAgent_${ID.ben}`]).not.toHaveProperty(key)
    expect(agents[`HumanAgent_${ID.ben}`]).toMatchObject({
      human_config: { access: 'participant' },
      conversation_pool: {
        conversation_privates: {
          [ID.reader]: [
            {
              sender_id: ID.reader,
              content: 'Which holds?',
              stage_relative: ID.stage,
              timestamp: '2026-11-21T10:00:00.000Z',
              need_reply: true,
              waiting: true,
              return_waiting_id: 'w-1',
              message_id: ID.question,
              task_id: ID.prices,
              request_id: ID.ask,
            },
          ],
        },
        global_messages: [],
      },
    })
    const steps = await states(double, cookie, 'type=step')
    expect(steps[`StepState_${ID.step}`]).toMatchObject({
      task_id: ID.prices,
      stage_id: ID.stage,
      agent_id: ID.reader,
      step_id: ID.step,
      step_intention: 'read the list',
      type: 'skill',
      executor: 'think',
      execution_state: 'finished',
      text_content: 'read it',
      instruction_content: null,
      execute_result: { think: 'north.csv has 7 lines' },
    })
    expect(steps[`StepState_${ID.secretStep}`]).toMatchObject({ stage_id: 'no_relative', execution_state: 'init' })
  })

  it('[R333] tells a person in the language of the team what they were told, with the id of the agent', async () => {
    const double = await openDouble()
    await double.engine.put([
      {
        type: 'notice.given',
        v: 1,
        task: ID.prices,
        agent: ID.ben,
        notice: {
          id: 'n',
          kind: 'reply_needed',
          stage: null,
          message: ID.question,
          words: { task: 'Prices', who: 'Reader' },
        },
      },
    ])
    const told = async (cookie: string) => {
      const agents = await states(double, cookie, 'type=agent')
      return agents[`HumanAgent_${ID.ben}`]?.conversation_pool
    }
    const ben = await double.signIn('ben')
    expect(await told(ben)).toMatchObject({
      global_messages: [`Reader [<agent_id>${ID.reader}</agent_id>] needs a reply, in Prices.`],
    })
    const { team } = double.engine.world()
    await double.engine.put([{ type: 'config.applied', v: 1, team: { ...team, language: 'zh' } }])
    expect(await told(ben)).toMatchObject({
      global_messages: [`Reader [<agent_id>${ID.reader}</agent_id>] 需要回复（Prices）。`],
    })
  })

  it('gives texts whole up to 64 KiB, else a preview, its bytes and where the whole is', async () => {
    const double = await openDouble()
    const steps = await states(double, await double.signIn('ana'), 'type=step')
    expect(steps[`StepState_${ID.toolStep}`]).toMatchObject({
      instruction_content: {
        instruction_type: 'function_call',
        tool_name: 'write_file',
        arguments: { path: 'prices/report.md', content: 'total' },
      },
      execute_result: {
        mcp_server_result: { preview: expect.any(String), bytes: 300_077, href: `/api/steps/${ID.toolStep}/result` },
      },
    })
    expect(steps[`StepState_${ID.badStep}`]).toMatchObject({
      execution_state: 'failed',
      execute_result: { mcp_server_result: { isError: true, content: [{ type: 'text', text: 'ENOENT' }] } },
    })
  })

  it('the conversation of a task holds what was said elsewhere and has no receivers', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ana')
    const message = asId<MessageId>('00000000-0000-4000-8000-0000000004f1')
    const [sent] = facts.filter((one) => one.type === 'message.sent')
    if (sent === undefined) throw new Error('the world has no message')
    await double.engine.put([
      { ...sent, message, sender: ID.ben, receivers: [], instruction: null, text: 'as it was said' },
    ])
    const { shared_conversation_pool: pool } =
      (await states(double, cookie, 'type=task'))[`TaskState_${ID.prices}`] ?? {}
    expect(pool).toContainEqual(
      expect.objectContaining({ message_id: message, receiver: [], message: 'as it was said' }),
    )
  })

  it('working memory names the tasks that an agent is in and its parts, also where it has done nothing yet', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ana')
    const next = asId<StageId>('00000000-0000-4000-8000-0000000002f1')
    const planned = { task: ID.prices, stage: next, intention: 'compare', allocation: { [ID.ben]: 'compare them' } }
    const memory = async (agent: string) => (await states(double, cookie, 'type=agent'))[agent]?.working_memory
    await double.engine.put([event('stage.added', { ...planned, after: null, retryOf: null })])
    expect(await memory(`HumanAgent_${ID.ben}`)).toEqual({ [ID.base]: {}, [ID.prices]: { [next]: [] } })
    expect(await memory(`LLMAgent_${ID.manager}`)).toMatchObject({ [ID.prices]: {}, [ID.secret]: {} })
    await double.engine.put([
      event('stage.finished', { task: ID.prices, stage: next, state: 'finished', reason: null, replacedBy: null }),
    ])
    expect(await memory(`HumanAgent_${ID.ben}`)).toEqual({ [ID.base]: {}, [ID.prices]: {} })
    await double.engine.put([event('task.finished', { task: ID.prices, state: 'finished', summary: 'compared' })])
    expect(await memory(`HumanAgent_${ID.ben}`)).toEqual({ [ID.base]: {} })
    expect(Object.keys((await memory(`LLMAgent_${ID.manager}`)) ?? {})).not.toContain(ID.prices)
  })

  it('a participant sees the own tasks with stages, members and steps, and nothing of another, in no field', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    expect(Object.keys(await states(double, cookie, 'type=task'))).toEqual([
      `TaskState_${ID.base}`,
      `TaskState_${ID.prices}`,
    ])
    expect(Object.keys(await states(double, cookie, 'type=step'))).toEqual([
      `StepState_${ID.step}`,
      `StepState_${ID.toolStep}`,
    ])
    for (const type of ['task', 'stage', 'agent', 'step']) {
      const text = JSON.stringify(await states(double, cookie, `type=${type}`))
      expect(text).not.toMatch(/secret/i)
      for (const id of [ID.secret, ID.secretStep]) expect(text).not.toContain(id)
    }
    const refused = await double.call('GET', `/api/states?type=step&task=${ID.secret}`, { cookie })
    expect([refused.status, refused.json.success]).toEqual([404, false])
  })

  it('of the base task a participant sees the own threads only', async () => {
    const double = await openDouble()
    const [ana, ben] = [await double.signIn('ana'), await double.signIn('ben')]
    const ask = (cookie: string, human_agent_id: string, content: string) =>
      double.call('POST', '/api/send_message', {
        cookie,
        body: { human_agent_id, task_id: ID.base, receiver: ['manager'], content },
      })
    expect((await ask(ana, 'ana', "Ana's own wish")).status).toBe(200)
    expect((await ask(ben, 'ben', "Ben's own wish")).status).toBe(200)
    for (const type of ['task', 'agent', 'step']) {
      const text = JSON.stringify(await states(double, ben, `type=${type}&task=${ID.base}`))
      expect(text).not.toContain("Ana's own wish")
      if (type === 'task') expect(text).toContain("Ben's own wish")
    }
    expect(JSON.stringify(await states(double, ana, 'type=task'))).toContain("Ben's own wish")
  })

  it('a former member reads up to the removal', async () => {
    const double = await openDouble()
    const ben = await double.signIn('ben')
    await double.engine.put([{ type: 'task.participantsChanged', v: 1, task: ID.prices, added: [], removed: [ID.ben] }])
    const ana = await double.signIn('ana')
    const later = { human_agent_id: 'ana', task_id: ID.prices, receiver: ['reader'], content: 'said afterwards' }
    expect((await double.call('POST', '/api/send_message', { cookie: ana, body: later })).status).toBe(200)
    const text = JSON.stringify(await states(double, ben, `type=task&task=${ID.prices}`))
    expect(text).toContain('Which holds?')
    expect(text).not.toContain('said afterwards')
    const seen = Object.values(await states(double, ben, `type=step&task=${ID.prices}`))
    const all = Object.values(await states(double, ana, `type=step&task=${ID.prices}`))
    expect(seen.map(({ step_id }) => step_id)).toEqual([ID.step, ID.toolStep])
    // Sending is recorded as a step of the sender, and Reader got one to reply with: both came after the removal.
    expect(all.length).toBeGreaterThan(seen.length)
  })

  it('pages by the last StateID of the page before', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ana')
    const whole = Object.keys(await states(double, cookie, 'type=step'))
    const found: string[] = []
    for (let after = ''; ; after = `&after=${found.at(-1)}`) {
      const page = Object.keys(await states(double, cookie, `type=step&limit=2${after}`))
      found.push(...page)
      if (page.length < 2) break
    }
    expect(found).toEqual(whole)
  })

  it('holds no password, hash or token', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ana')
    for (const type of ['task', 'stage', 'agent', 'step']) {
      const text = JSON.stringify(await states(double, cookie, `type=${type}`))
      expect(text).not.toMatch(/argon2|password|api_key|convene_session/i)
      expect(text).not.toContain(cookie.split('=')[1])
    }
  })
})

describe('large states', () => {
  it('[R74] texts are whole up to 4 MiB of an answer, then previews; short ones stay whole', async () => {
    const double = await openDouble()
    const { call, signIn } = double
    const cookie = await signIn('ben')
    // 80 of 60 KiB are 4.7 MiB; each stands in the task's conversation once.
    for (let at = 0; at < 80; at += 1) {
      const content = `${at} ${'x'.repeat(60 * 1024)}`
      expect((await call('POST', '/api/send_message', { cookie, body: send({ content }) })).status).toBe(200)
    }
    await call('POST', '/api/send_message', { cookie, body: send({ content: 'a short one' }) })
    const found = await states(double, cookie, `type=task&task=${ID.prices}`)
    const task = found[`TaskState_${ID.prices}`] ?? {}
    const pool = [task.communication_queue, task.shared_conversation_pool].flat() as { message: unknown }[]
    const whole = pool.filter(({ message }) => typeof message === 'string' && message.length > 1_000)
    const cut = pool.filter(({ message }) => typeof message === 'object')
    expect(whole.length + cut.length).toBe(80)
    expect([60, 69].map((n) => whole.length >= n)).toEqual([true, false])
    expect(cut[0]?.message).toMatchObject({ bytes: expect.any(Number), href: null, preview: expect.any(String) })
    expect(pool.map(({ message }) => message)).toContain('a short one')
  })

  it('[R74] a page has 10,000 states at most', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    expect((await call('GET', '/api/states?type=step&limit=10000', { cookie })).status).toBe(200)
    expect((await call('GET', '/api/states?type=step&limit=10001', { cookie })).json.error).toBe('BAD_INPUT')
  })

  it('[R74] the loop turns while hundreds of large states are written', async () => {
    const double = await openDouble()
    const { call, signIn, url } = double
    const cookie = await signIn('ben')
    const sent = process.env.CONVENE_ALL ? 1_500 : 200
    for (let at = 0; at < sent; at += 1)
      await call('POST', '/api/send_message', { cookie, body: send({ content: `${at} ${'x'.repeat(60_000)}` }) })
    const drain = async (type: string) => {
      let bytes = 0
      const { body } = await fetch(`${url}/api/states?type=${type}`, { headers: { cookie } })
      for await (const piece of body ?? []) bytes += piece.length
      return bytes
    }
    const { blockMs, outcome } = await longestBlock(() => Promise.all(['task', 'agent', 'task', 'agent'].map(drain)))
    expect(Math.min(...outcome)).toBeGreaterThan(4_000_000)
    expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
  })
})
