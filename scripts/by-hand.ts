/**
 * `npm run by-hand`: answer for models of provider `person` in the terminal. Prints the prompt of a call and reads the answer.
 *   -- --url http://localhost:3000   where Convene is (else PORT, else 3000)      --as ana          who answers (an operator or developer)
 *   -- --list                        only say which calls wait                    --call ID         this call, not the longest waiting
 *   -- --file answer.txt             the answer from a file                       --refuse "why"    refuse the call
 * The password comes from CONVENE_PASSWORD, or is asked for. Without a file the answer is read until a line with a single dot.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ByHandCall, byHandAnswer, type PostByHand, refusalBody } from '@/lib/wire/http'
import { inWords, print } from './lib/inWords'
import { openLines } from './lib/lines.mjs'
import { CannotGoOn } from './lib/say.mjs'

const WAIT_MS = 2_000
let cookie = ''

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: `http://localhost:${process.env.PORT || '3000'}` },
      as: { type: 'string' },
      list: { type: 'boolean', default: false },
      call: { type: 'string' },
      file: { type: 'string' },
      refuse: { type: 'string' },
    },
  })
  const server = values.url.replace(/\/+$/, '')
  const lines = openLines()
  try {
    const id: string = values.as ?? (await lines.ask('Human agent ID: '))
    const password: string = process.env.CONVENE_PASSWORD ?? (await lines.ask('Password (not shown): ', true))
    await signIn(server, id, password)
    if (values.list) return list(await waiting(server))
    await answerCalls(server, values, () => lines.until('.'))
  } finally {
    lines.close()
  }
}

type Wish = { call?: string; file?: string; refuse?: string }

/** Until the input ends; once where the call or the answer is named. */
async function answerCalls(server: string, wish: Wish, read: () => Promise<string | null>): Promise<void> {
  const isOnce = wish.call !== undefined || wish.file !== undefined || wish.refuse !== undefined
  for (let isTold = false; ; ) {
    const calls = await waiting(server)
    const call = wish.call === undefined ? calls[0] : calls.find(({ id }) => id === wish.call)
    if (call === undefined) {
      if (isOnce) throw new CannotGoOn(wish.call ? `The call ${wish.call} waits no more.` : 'No call waits.')
      if (!isTold) print('No call waits. Looking every two seconds; stop with Ctrl+C.')
      isTold = true
      await wait(WAIT_MS)
      continue
    }
    isTold = false
    if (wish.refuse !== undefined) {
      await send(server, call, { refuse: wish.refuse })
      return print(`Refused: ${call.agent} · ${call.skill}`)
    }
    if (wish.file === undefined) show(call)
    const answer = wish.file === undefined ? await read() : readFileSync(wish.file, 'utf8')
    if (answer === null) return
    if (answer.trim() === '') print('Nothing was written, nothing is sent.')
    else if (await send(server, call, { answer })) print('Sent.', '')
    else print('This call waits no more; nothing was sent.', '')
    if (isOnce) return
  }
}

type Answer = { status: number; body: unknown }

async function ask(server: string, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) }
  const answer = await fetch(server + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CannotGoOn(
      `Nothing answers at ${server}.\n  Start Convene with npm start, or name its address with --url.`,
    )
  })
  const set = answer.headers.getSetCookie()[0]
  if (set) cookie = set.split(';')[0] ?? ''
  return { status: answer.status, body: await answer.json().catch(() => null) }
}

async function signIn(server: string, id: string, password: string): Promise<void> {
  const answer = await ask(server, 'POST', '/api/bind_human_agent', { human_agent_id: id, password })
  if (answer.status !== 200) throw refused(answer, 'Signing in')
}

async function waiting(server: string): Promise<ByHandCall[]> {
  const answer = await ask(server, 'GET', '/api/by_hand')
  const read = byHandAnswer.safeParse(answer.body)
  if (answer.status !== 200 || !read.success) throw refused(answer, 'Reading the calls')
  return read.data.calls
}

/** out: whether the call still waited */
async function send(server: string, call: ByHandCall, body: PostByHand): Promise<boolean> {
  const sent = await ask(server, 'POST', `/api/by_hand/${encodeURIComponent(call.id)}`, body)
  if (sent.status === 200) return true
  if (sent.status === 404) return false
  throw refused(sent, 'The answer')
}

function refused({ status, body }: Answer, what: string): CannotGoOn {
  const said = refusalBody.safeParse(body)
  return new CannotGoOn(said.success ? said.data.message : `${what} was refused (${status}).`)
}

function list(calls: readonly ByHandCall[]): void {
  if (calls.length === 0) print('No call waits.')
  for (const call of calls) print(`${call.id}  ${call.agent} · ${call.skill}${call.task ? ` · ${call.task.name}` : ''}`)
}

function show(call: ByHandCall): void {
  for (const { role, name, text } of call.parts) print('', `──── ${name} (${role}) ────`, text)
  print(
    '',
    `──── ${call.agent} · ${call.skill} ────`,
    'Write the answer, then a line with a single dot. (End of input stops.)',
  )
}

inWords(main, CannotGoOn)
