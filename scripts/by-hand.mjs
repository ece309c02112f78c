// `npm run by-hand`: answer for models of provider `person` in the terminal. Prints the prompt of a call and reads the answer.
//   -- --url http://localhost:3000   where Convene is (else PORT, else 3000)      --as ana          who answers (an operator or developer)
//   -- --list                        only say which calls wait                    --call ID         this call, not the longest waiting
//   -- --file answer.txt             the answer from a file                       --refuse "why"    refuse the call
// The password comes from CONVENE_PASSWORD, or is asked for. Without a file the answer is read until a line with a single dot.
import './lib/requireNode.mjs'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { CannotGoOn, main, say } = await import('./lib/say.mjs')
const { openLines } = await import('./lib/lines.mjs')

const WAIT_MS = 2_000
let cookie = ''

await main(async () => {
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
  await signIn(server, values.as ?? (await lines.ask('Human agent ID: ')), lines)
  if (values.list) return list(await waiting(server))
  const isOnce = values.call !== undefined || values.file !== undefined || values.refuse !== undefined
  for (let isTold = false; ; ) {
    const calls = await waiting(server)
    const call = values.call === undefined ? calls[0] : calls.find(({ id }) => id === values.call)
    if (call === undefined) {
      if (isOnce) throw new CannotGoOn(values.call ? `the call ${values.call} waits no more.` : 'no call waits.')
      if (!isTold) say('No call waits. Looking every two seconds; stop with Ctrl+C.')
      isTold = true
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
      continue
    }
    isTold = false
    if (values.refuse !== undefined) {
      await send(server, call, { refuse: values.refuse })
      return say(`Refused: ${call.agent} · ${call.skill}`)
    }
    if (values.file === undefined) show(call)
    const answer = values.file === undefined ? await lines.until('.') : readFileSync(values.file, 'utf8')
    if (answer === null) return
    if (answer.trim() === '') say('Nothing was written, nothing is sent.')
    else if (await send(server, call, { answer })) say('Sent.\n')
    else say('This call waits no more; nothing was sent.\n')
    if (isOnce) return
  }
})
process.exit(process.exitCode ?? 0)

async function ask(server, method, path, body) {
  const headers = { 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) }
  const answer = await fetch(server + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new CannotGoOn(`nothing answers at ${server}.`, [
      'Start Convene with npm start, or name its address with --url.',
    ])
  })
  const set = answer.headers.getSetCookie()[0]
  if (set) cookie = set.split(';')[0] ?? ''
  return { status: answer.status, body: await answer.json().catch(() => ({})) }
}

async function signIn(server, id, lines) {
  const password = process.env.CONVENE_PASSWORD ?? (await lines.ask('Password (not shown): ', true))
  const { status, body } = await ask(server, 'POST', '/api/bind_human_agent', { human_agent_id: id, password })
  if (status !== 200) throw new CannotGoOn(body.message ?? `signing in was refused (${status}).`)
}

async function waiting(server) {
  const { status, body } = await ask(server, 'GET', '/api/by_hand')
  if (status !== 200) throw new CannotGoOn(body.message ?? `the calls cannot be read (${status}).`)
  return body.calls
}

async function send(server, call, body) {
  const sent = await ask(server, 'POST', `/api/by_hand/${encodeURIComponent(call.id)}`, body)
  if (sent.status === 200) return true
  if (sent.status === 404) return false
  throw new CannotGoOn(sent.body.message ?? `the answer was refused (${sent.status}).`)
}

function list(calls) {
  if (calls.length === 0) return say('No call waits.')
  for (const call of calls) say(`${call.id}  ${call.agent} · ${call.skill}${call.task ? ` · ${call.task.name}` : ''}`)
}

function show(call) {
  for (const { role, name, text } of call.parts) say(`\n──── ${name} (${role}) ────\n${text}`)
  say(`\n──── ${call.agent} · ${call.skill} ────`)
  say('Write the answer, then a line with a single dot. (End of input stops.)')
}
