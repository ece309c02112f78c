/** `npm run eval [-- --model name --lang en --jobs compare,total …]`: gives a model twelve jobs per language, and reports the results. */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type EvalArguments, EvalArgumentsError, readEvalArguments } from '@/eval/evalArguments'
import type { Job } from '@/eval/job'
import { jobsIn } from '@/eval/jobs'
import { compareResults, type EvalResult, nameOf, resultShape, sayResult } from '@/eval/results'
import { isRight, type Progress, runJob } from '@/eval/runJob'
import { oneLine } from '@/lib/format/plainText'
import { beginningOf } from '@/lib/mas/bodies'
import { type Model, ofVariables, openModels, type ProviderModelConfig, type SecretOf } from '@/server/models'
import { sha256 } from '@/server/shared/sha256'
import { loadPrompts } from '@/server/skills'
import { openWorkshop } from '@/test/rehearsalTeam'
import { inWords, print, readConfig } from './lib/inWords'

type Run = Extract<EvalArguments, { act: 'run' }>

/** How often a job that runs is reported. */
const REPORT_MS = 10_000
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
  const { name, modelName, models, live } = modelsFor(wish)
  const versions = new Set<string>()
  const result: EvalResult = {
    version: 2,
    model: name,
    modelName,
    modelVersion: null,
    promptsDigest: sha256(JSON.stringify(loadPrompts(resolve('prompts')))),
    jobs: [],
  }
  const workshop = openWorkshop()
  try {
    for (const [at, job] of jobs.entries()) {
      const place = `${at + 1} of ${jobs.length}, ${nameOf({ job: job.id, language: job.language })}`
      const report = openReport(place)
      const done = await runJob(job, {
        workshop,
        model: models(job),
        live,
        watch: report.watch,
        ...(live ? { patienceMs: LIVE_PATIENCE_MS } : {}),
        look: (team) => {
          for (const { calls } of team.steps()) for (const { modelVersion } of calls) versions.add(modelVersion ?? '')
        },
      }).finally(report.close)
      const right = isRight(job, done)
      result.jobs.push({ ...done, language: job.language, right })
      print(`${place}: ${done.verdict}, ${done.calls} calls${right ? '' : ` (${done.why.join('; ')})`}`)
    }
  } finally {
    await workshop.close()
  }
  const told = [...versions].filter((version) => version !== '')
  const whole = { ...result, modelVersion: told.length === 0 ? null : told.join(', ') }
  const file = resolve(wish.out ?? join('out', 'eval', `${name.replace(/[^\w.-]+/g, '_')}.json`))
  await mkdir(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`)
  print(`\n${sayResult(whole)}\n\nThe result is in ${file}`)
}

/** Prints that a job has begun, and what it does while it runs. */
function openReport(place: string): { watch: (now: () => Progress) => void; close: () => void } {
  print(`${place} …`)
  const begun = performance.now()
  let timer: NodeJS.Timeout | undefined
  return {
    watch(now) {
      timer = setInterval(() => {
        const { calls, step } = now()
        const seconds = Math.round((performance.now() - begun) / 1_000)
        print(`${place}: ${seconds} s, ${calls} calls, ${beginningOf(oneLine(step), 100)}`)
      }, REPORT_MS)
    },
    close: () => clearInterval(timer),
  }
}

/** Each job's calls are recorded in a folder of their own, so that it can be played alone. */
function modelsFor({ model, config, record, play }: Run): {
  name: string
  modelName: string | null
  models: (job: Job) => Model
  live: boolean
} {
  const folderOf = (folder: string, job: Job): string => resolve(folder, job.language, job.id)
  const sleep = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal })
  const open = (name: string, own: ProviderModelConfig, secret?: SecretOf): Model =>
    openModels({ models: { [name]: own }, rehearsal: { delayMs: 0 }, sleep, ...(secret ? { secret } : {}) }).get(name)
  if (play !== null) {
    const contextTokens = 200_000
    return {
      name: `recording-${play.split(/[\\/]/).filter(Boolean).at(-1) ?? 'here'}`,
      modelName: null,
      models: (job) => open('default', { provider: 'recording', play: folderOf(play, job), contextTokens }),
      live: false,
    }
  }
  if (model === null) {
    return {
      name: 'rehearsal',
      modelName: null,
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
    modelName: own.model ?? null,
    models: (job) => open(model, { ...own, record: record && folderOf(record, job) }, ofVariables(loaded.secret)),
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
