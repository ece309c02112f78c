/** `npm run eval [-- --model name --lang en --jobs compare,total …]`: gives a model twelve jobs per language, and reports the results. */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type EvalArguments, EvalArgumentsError, readEvalArguments } from '@/eval/evalArguments'
import type { Job } from '@/eval/job'
import { jobsIn } from '@/eval/jobs'
import { compareResults, type EvalResult, nameOf, resultShape, sayResult } from '@/eval/results'
import { isRight, runJob } from '@/eval/runJob'
import { type Model, openModels, type ProviderModelConfig } from '@/server/models'
import { sha256 } from '@/server/shared/sha256'
import { loadPrompts } from '@/server/skills'
import { openWorkshop } from '@/test/rehearsalTeam'
import { inWords, print, readConfig } from './lib/inWords'

type Run = Extract<EvalArguments, { act: 'run' }>

/** A network model may be slow; a job without progress for this long is stopped. */
const LIVE_PATIENCE_MS = 10 * 60_000

async function main(): Promise<void> {
  const wish = readEvalArguments(
    process.argv.slice(2),
    jobsIn('en').map(({ id }) => id),
  )
  if (wish.act === 'compare') {
    const [one, other] = wish.files.map(readResult)
    if (one !== undefined && other !== undefined) print(compareResults(one, other))
    return
  }
  await run(wish)
}

async function run(wish: Run): Promise<void> {
  const jobs = wish.languages.flatMap(jobsIn).filter(({ id }) => wish.jobs?.includes(id) ?? true)
  const { name, models, live } = modelsFor(wish)
  const versions = new Set<string>()
  const result: EvalResult = {
    version: 1,
    model: name,
    modelVersion: null,
    promptsDigest: sha256(JSON.stringify(loadPrompts(resolve('prompts')))),
    jobs: [],
  }
  const workshop = openWorkshop()
  for (const job of jobs) {
    const done = await runJob(job, {
      workshop,
      model: models(job),
      live,
      ...(live ? { patienceMs: LIVE_PATIENCE_MS } : {}),
      look: (team) => {
        for (const { calls } of team.steps()) for (const { modelVersion } of calls) versions.add(modelVersion ?? '')
      },
    })
    const right = isRight(job, done)
    result.jobs.push({ ...done, language: job.language, right })
    print(`${nameOf(done)}: ${done.verdict}${right ? '' : ` (${done.why.join('; ')})`}`)
  }
  await workshop.close()
  const told = [...versions].filter((version) => version !== '')
  const whole = { ...result, modelVersion: told.length === 0 ? null : told.join(', ') }
  const file = resolve(wish.out ?? join('out', 'eval', `${name.replace(/[^\w.-]+/g, '_')}.json`))
  await mkdir(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`)
  print(`\n${sayResult(whole)}\n\nThe result is in ${file}`)
}

/** Each job's calls are recorded in a folder of their own, so that it can be played alone. */
function modelsFor({ model, config, record, play }: Run): { name: string; models: (job: Job) => Model; live: boolean } {
  const folderOf = (folder: string, job: Job): string => resolve(folder, job.language, job.id)
  const sleep = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal })
  const open = (name: string, own: ProviderModelConfig, secret?: (name: string) => string | undefined): Model =>
    openModels({ models: { [name]: own }, rehearsal: { delayMs: 0 }, sleep, ...(secret ? { secret } : {}) }).get(name)
  if (play !== null) {
    const contextTokens = 200_000
    return {
      name: `recording-${play.split(/[\\/]/).filter(Boolean).at(-1) ?? 'here'}`,
      models: (job) => open('default', { provider: 'recording', play: folderOf(play, job), contextTokens }),
      live: false,
    }
  }
  if (model === null) {
    return {
      name: 'rehearsal',
      models: (job) => open('default', { provider: 'rehearsal', record: record && folderOf(record, job) }),
      live: false,
    }
  }
  const loaded = readConfig(config === null ? process.env : { ...process.env, CONVENE_CONFIG: resolve(config) })
  const own = Object.hasOwn(loaded.models, model) ? loaded.models[model] : undefined
  if (own === undefined)
    throw new EvalArgumentsError(
      `${loaded.file} has no model ${model}; there are ${Object.keys(loaded.models).join(', ')}`,
    )
  return {
    name: model,
    models: (job) => open(model, { ...own, record: record && folderOf(record, job) }, loaded.secret),
    live: own.provider !== 'rehearsal' && own.provider !== 'recording',
  }
}

function readResult(file: string): EvalResult {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new EvalArgumentsError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const read = resultShape.safeParse(content)
  if (!read.success) throw new EvalArgumentsError(`${file}: this is no result of npm run eval`)
  return read.data
}

inWords(main, EvalArgumentsError)
