/** `npm run eval` as it is started in a terminal and in CI: it reports, writes its result, and ends. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultShape } from '@/eval/results'
import { answer } from '@/server/models/rehearsal'
import { askedTurns, openaiEnd, openaiText, openModelPeer } from '@/test/modelPeer'

let folder = ''
const program = () => join(folder, 'eval.cjs')

beforeAll(async () => {
  // Inside the project, where packages are found.
  folder = mkdtempSync(join(process.cwd(), 'out', 'eval-'))
  const bundling = `import('./scripts/lib/build.mjs').then(({ bundle }) => bundle('scripts/eval.ts', ${JSON.stringify(program())}))`
  expect(await run(['-e', bundling])).toMatchObject({ code: 0 })
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** code null: the program had to be killed. */
function run(words: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { env: { ...process.env, TMPDIR: tmpdir() } })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
    const limit = setTimeout(() => child.kill('SIGKILL'), 50_000)
    child.on('close', (code) => {
      clearTimeout(limit)
      resolve({ code, said })
    })
  })
}

it('[R340] ends by itself after a job with the rehearsal, and says while it runs which job it is', {
  timeout: 60_000,
}, async () => {
  const out = join(folder, 'result.json')
  const { code, said } = await run([program(), '--jobs', 'total', '--lang', 'en', '--out', out])
  expect([code, said]).toEqual([0, expect.stringContaining('1 of 1, total (en) …\n1 of 1, total (en): done, ')])
  expect(resultShape.parse(JSON.parse(readFileSync(out, 'utf8')))).toMatchObject({
    model: 'rehearsal',
    jobs: [{ form: 'tags' }],
  })
})

it('[R340] ends by itself after a job with a model on the network, and names the model and the form', {
  timeout: 60_000,
}, async () => {
  const peer = await openModelPeer((asked, response) => {
    response.end(`${openaiText(answer(askedTurns(asked)))}${openaiEnd('stop')}`)
  })
  const config = join(folder, 'team.yaml')
  const model = `provider: openai\n    base_url: ${peer.url}\n    model: some-model\n    context_tokens: 200000\n    structured: tags`
  writeFileSync(config, readFileSync('config/convene.yaml', 'utf8').replace('provider: rehearsal', model))
  const out = join(folder, 'network.json')
  const words = ['--config', config, '--model', 'default', '--jobs', 'total', '--lang', 'en', '--out', out]
  const { code, said } = await run([program(), ...words])
  await peer.close()
  expect([code, said]).toEqual([0, expect.stringContaining('model: default (some-model, peer-1), answers as tags')])
})
