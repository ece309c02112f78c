import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
// The default model of a configuration that names none.
import '@/packages/rehearsal/register'
import type { Language } from '@/lib/language'
import { loadConfig } from '../config'
import { openTrial } from '.'

const quiet = (): void => {}
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }

function trialOf(language: Language) {
  const folder = mkdtempSync(join(tmpdir(), 'convene-trial-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const text = `
team: { name: T, language: ${language} }
models:
  keyless: { provider: openai, base_url: "http://127.0.0.1:9/v1", model: m, key_env: NOT_SET_HERE }
agents: [{ id: m, name: M, role: manager, manager: true, profile: p, skills: [all] }]
humans: [{ id: ana, name: Ana, role: operator, access: operator }]
tools: { broken: { command: no-such-program, guide: g } }
`
  writeFileSync(join(folder, 'convene.yaml'), text)
  const environment = { CONVENE_CONFIG: join(folder, 'convene.yaml'), CONVENE_WORKSPACE: folder }
  return openTrial(
    loadConfig(environment, () => text, { folder }),
    { log },
  )
}

it('names what can be tried, and tries nothing else', async () => {
  const trial = trialOf('en')
  expect([trial.models, trial.tools]).toEqual([['default', 'keyless'], ['broken']])
  expect(await trial.tryOne('model', 'broken')).toBeNull()
  expect(await trial.tryOne('tool', '__proto__')).toBeNull()
  expect(await trial.tryOne('model', 'constructor')).toBeNull()
})

it('says what works, what does not, and what to do about it', async () => {
  const trial = trialOf('en')
  expect(await trial.tryOne('model', 'default')).toMatchObject({ ok: true, hint: null })
  const keyless = await trial.tryOne('model', 'keyless')
  expect(keyless).toMatchObject({ ok: false, words: expect.stringContaining('NOT_SET_HERE') })
  expect(keyless?.hint).toContain('Set the environment variable')
  const broken = await trial.tryOne('tool', 'broken')
  expect(broken).toMatchObject({ ok: false, words: expect.stringContaining('no-such-program') })
  expect(broken?.hint).not.toBeNull()
})

it('speaks of models and tool servers in the language of the team', async () => {
  expect((await trialOf('zh').tryOne('tool', 'broken'))?.words).toBe('无法启动 broken：找不到命令 no-such-program。')
  const tried = await trialOf('zh').tryOne('model', 'keyless')
  expect(tried?.words).toMatch(/\p{Script=Han}/u)
})
