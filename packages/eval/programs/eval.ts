/** `npm run eval [-- --model name --lang en --jobs compare,total …]`: gives a model twelve jobs per language, and reports the results. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import '@/server/packages'
import { inWords, print, readConfig } from '@/scripts/lib/inWords'
import { type Model, ofVariables, openModels, type ProviderModelConfig, type SecretOf } from '@/server/models'
import { sha256 } from '@/server/shared/sha256'
import { loadPrompts } from '@/server/skills'
import { openWorkshop, type Workshop } from '@/test/rehearsalTeam'
import { type EvalArguments, EvalArgumentsError, readEvalArguments } from '../evalArguments'
import type { Job } from '../job'
import { jobsIn } from '../jobs'
import { sayLoop } from '../loopReport'
import { runPlainLoop } from '../plainLoop/runPlainLoop'
import { loadAiSdk, loopModelOf } from '../plainLoop/sdk'
import { openReport, type Progress } from '../progress'
import { compareResults, type EvalResult, nameOf, type ResultRow, resultShape, sayResult } from '../results'
import { runJob } from '../runJob'
import { isRight, type JobResult } from '../verdict'

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
  const source = modelsFor(wish)
  const loop = wish.loop ? await openLoop(source) : null
  const file = resolve(wish.out ?? join('out', 'eval', `${source.name.replace(/[^\w.-]+/g, '_')}.json`))
  await mkdir(dirname(file), { recursive: true })
  const versions = new Set<string>()
  const done = { team: [] as ResultRow[], loop: [] as ResultRow[] }
  const workshop = openWorkshop()
  try {
    for (const [at, job] of jobs.entries()) {
      const place = `${at + 1} of ${jobs.length}, ${nameOf({ job: job.id, language: job.language })}`
      const keepIn = join(`${file.replace(/\.json$/, '')}-wrong`, job.language, job.id)
      const team = (watch: Watch): Promise<JobResult> => teamJob(job, source, { workshop, watch, keepIn, versions })
      done.team.push(await reported(place, job, keepIn, team))
      if (loop === null) continue
      const plain = (watch: Watch): Promise<JobResult> => loop(job, { workshop, watch, keepIn: `${keepIn}-loop` })
      done.loop.push(await reported(`${place}, plain loop`, job, `${keepIn}-loop`, plain))
    }
  } finally {
    await workshop.close()
  }
  versions.delete('')
  const result: EvalResult = {
    version: 3,
    model: source.name,
    modelName: source.modelName,
    modelVersion: versions.size === 0 ? null : [...versions].join(', '),
    promptsDigest: sha256(JSON.stringify(loadPrompts(resolve('prompts')))),
    jobs: done.team,
    loop: loop && done.loop,
  }
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  const said = [sayResult(result), sayLoop(result), `The result is in ${file}`].filter((part) => part !== null)
  print(`\n${said.join('\n\n')}`)
}

type Watch = (now: () => Progress) => void
type Place = { workshop: Workshop; watch: Watch; keepIn: string }

/** Runs a job, and prints its progress and its end. What an earlier run kept of it is removed. */
async function reported(
  place: string,
  job: Job,
  keepIn: string,
  work: (watch: Watch) => Promise<JobResult>,
): Promise<ResultRow> {
  rmSync(keepIn, { recursive: true, force: true })
  const report = openReport(place, print)
  const result = await work(report.watch).finally(report.close)
  const right = isRight(job, result)
  const seconds = (result.wallMs / 1_000).toFixed(1)
  print(`${place}: ${result.verdict}, ${result.calls} calls, ${seconds} s${right ? '' : ` (${result.why.join('; ')})`}`)
  return { ...result, right }
}

const teamJob = (
  job: Job,
  { models, live }: Source,
  { versions, ...place }: Place & { versions: Set<string> },
): Promise<JobResult> =>
  runJob(job, {
    ...place,
    model: models(job),
    live,
    ...(live ? { patienceMs: LIVE_PATIENCE_MS } : {}),
    look: (team) => {
      for (const { calls } of team.steps()) for (const { modelVersion } of calls) versions.add(modelVersion ?? '')
    },
  })

/** The plain loop with the configured model. Throws EvalArgumentsError when it cannot run */
async function openLoop({ name, configured }: Source): Promise<(job: Job, place: Place) => Promise<JobResult>> {
  if (configured === null) throw new EvalArgumentsError('The plain loop needs a configured model.')
  const { config, secret } = configured
  const { model, settings } = loopModelOf(name, config, secret)
  const sdk = await loadAiSdk()
  return (job, place) => runPlainLoop(job, { ...place, sdk, modelFor: () => model, settings, price: config.price })
}

type Source = {
  name: string
  modelName: string | null
  models: (job: Job) => Model
  live: boolean
  /** null: the rehearsal by default, or recorded answers. */
  configured: { config: ProviderModelConfig; secret: SecretOf } | null
}

/** Each job's calls are recorded in a folder of their own, so that it can be played alone. */
function modelsFor({ model, config, record, play }: Run): Source {
  const folderOf = (folder: string, job: Job): string => resolve(folder, job.language, job.id)
  const sleep = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal })
  const open = (name: string, own: ProviderModelConfig, secret?: SecretOf): Model =>
    openModels({ models: { [name]: own }, sleep, ...(secret ? { secret } : {}) }).get(name)
  if (play !== null) {
    const contextTokens = 200_000
    return {
      name: `recording-${play.split(/[\\/]/).filter(Boolean).at(-1) ?? 'here'}`,
      modelName: null,
      models: (job) => open('default', { provider: 'recording', play: folderOf(play, job), contextTokens }),
      live: false,
      configured: null,
    }
  }
  if (model === null) {
    return {
      name: 'rehearsal',
      modelName: null,
      models: (job) => open('default', { provider: 'rehearsal', record: record && folderOf(record, job) }),
      live: false,
      configured: null,
    }
  }
  const loaded = readConfig(config === null ? process.env : { ...process.env, CONVENE_CONFIG: resolve(config) })
  const own = Object.hasOwn(loaded.models, model) ? loaded.models[model] : undefined
  if (own === undefined)
    throw new EvalArgumentsError(
      `${loaded.file} has no model ${model}; there are ${Object.keys(loaded.models).join(', ')}`,
    )
  const secret = ofVariables(loaded.secret)
  return {
    name: model,
    modelName: own.model ?? null,
    models: (job) => open(model, { ...own, record: record && folderOf(record, job) }, secret),
    live: own.provider !== 'rehearsal' && own.provider !== 'recording',
    configured: { config: own, secret },
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
