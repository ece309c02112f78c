/** `npm run eval` as it is started in a terminal and in CI: it reports, writes its result, and ends. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answer } from '@/packages/rehearsal/rehearsalModel'
import { askedTurns, openaiEnd, openaiText, openModelPeer } from '@/test/modelPeer'
import { resultShape } from './results'

let folder = ''
const program = () => join(folder, 'eval.cjs')

beforeAll(async () => {
  // Inside the project, where packages are found.
  folder = mkdtempSync(join(process.cwd(), 'out', 'eval-'))
  const bundling = `import('./scripts/lib/build.mjs').then(({ bundle }) => bundle('packages/eval/programs/eval.ts', ${JSON.stringify(program())}))`
  expect(await run(['-e', bundling])).toMatchObject({ code: 0 })
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** code null: the program had to be killed. */
function run(words: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { env: { ...process.env, TMPDIR: tmpdir() } })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
    const limit = setTimeout(() => child.kill('SIGKILL'), 110_000)
    child.on('close', (code) => {
      clearTimeout(limit)
      resolve({ code, said })
    })
  })
}

/** On a busy machine, lines of progress stand between the two. */
const FIRST_OF_TWO =
  /^1 of 2, total \(en\) …\n(1 of 2, total \(en\): \d+ s, .*\n)*1 of 2, total \(en\): done, \d+ calls, [\d.]+ s\n2 of 2, merge/

/** A configuration whose default model is at that address. */
function configFor(url: string): string {
  const config = join(folder, 'team.yaml')
  const model = `provider: openai-compatible\n    base_url: ${url}\n    model: some-model\n    context_tokens: 200000\n    form: tags\n    temperature: 0.5\n    extra: { top_k: 7 }`
  writeFileSync(config, readFileSync('config/convene.yaml', 'utf8').replace('provider: rehearsal', model))
  return config
}

it('[R340] [R681] [R682] runs a plain loop beside the team with the same model, names both, and keeps what is wrong', {
  timeout: 120_000,
}, async () => {
  const usage = { prompt_tokens: 900, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 500 } }
  const peer = await openModelPeer((asked, response) => {
    if (asked.body.stream) return void response.end(`${openaiText(answer(askedTurns(asked)))}${openaiEnd('stop')}`)
    const message = { role: 'assistant', content: 'I did not look.' }
    const body = {
      id: 'x',
      created: 1,
      model: 'peer-1',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  const out = join(folder, 'loop.json')
  const words = ['--config', configFor(peer.url), '--model', 'default', '--jobs', 'total', '--lang', 'en', '--out', out]
  const { code, said } = await run([program(), ...words, '--loop'])
  await peer.close()
  const kept = join(folder, 'loop-wrong', 'en', 'total-loop')
  expect([code, said]).toEqual([0, expect.stringContaining(`kept in ${kept}`)])
  expect(said).toContain('model: default (some-model, peer-1), answers as tags')
  expect(said).toContain('1 of 1, total (en), plain loop: failed, 1 calls, ')
  expect(said).toContain('No job was right on both sides')
  expect(resultShape.parse(JSON.parse(readFileSync(out, 'utf8')))).toMatchObject({
    jobs: [{ right: true, form: 'tags', kept: null }],
    loop: [{ right: false, form: 'native', kept, tokens: { sent: 900, cached: 500, got: 20, estimated: false } }],
  })
  expect(readFileSync(join(kept, 'workspace', 'sales', 'june.csv'), 'utf8')).toContain('Delft')
  const asked = peer.asked.find(({ body }) => body.stream !== true)
  expect(asked?.body).toMatchObject({ model: 'some-model', temperature: 0.5, top_k: 7 })
  expect(asked?.body.tools).toHaveLength(15)
})

it("[R340] [R682] ends by itself after jobs with the rehearsal, says which job it is at, and keeps the team's calls of a wrong one", {
  timeout: 120_000,
}, async () => {
  const out = join(folder, 'jobs.json')
  const { code, said } = await run([program(), '--jobs', 'total,merge', '--lang', 'en', '--out', out])
  expect([code, said]).toEqual([0, expect.stringMatching(FIRST_OF_TWO)])
  expect(resultShape.parse(JSON.parse(readFileSync(out, 'utf8')))).toMatchObject({
    model: 'rehearsal',
    jobs: [
      { right: true, form: 'tags' },
      { right: false, form: 'tags' },
    ],
  })
  const kept = join(folder, 'jobs-wrong', 'en', 'merge')
  const calls = readFileSync(join(kept, 'calls.jsonl'), 'utf8').trim().split('\n')
  expect(JSON.parse(calls[0] ?? '')).toMatchObject({
    agent: 'Manager',
    skill: expect.any(String),
    number: expect.any(Number),
    error: null,
    prompt: expect.stringContaining('todo/first.txt'),
  })
  expect(readFileSync(join(kept, 'workspace', 'todo', 'first.txt'), 'utf8')).toContain('ladder')
})
