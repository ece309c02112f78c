/** The jobs and the rehearsal: what it does is right by the check, and what it cannot do it refuses in words. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import { openModels } from '@/server/models'
import { heldToSchemas } from '@/test/objectForm'
import { openWorkshop, type Workshop } from '@/test/rehearsalTeam'
import type { End, Job } from './job'
import { jobsIn } from './jobs'
import { runJob } from './runJob'
import { isRight } from './verdict'

const model = openModels({ models: { default: { provider: 'rehearsal' } } }).get('default')

let workshop: Workshop
beforeAll(() => {
  workshop = openWorkshop()
})
afterAll(() => workshop.close())

/** What the rehearsal has no verb for. */
const BEYOND = new Set(['merge'])

const untouched = (job: Job): End => ({
  file: (path) => job.files[path] ?? null,
  paths: Object.keys(job.files),
  told: [{ from: 'Manager', to: ['Ana'], text: 'Done.' }],
  saidAmongAgents: [],
  asked: [],
  calls: [],
  tasks: [{ name: 'x', state: 'finished', summary: 'Done.', stages: ['finished'] }],
})

/** In the short suite each job of a language is done in one of the two forms in turn, in the other language in the other one. */
const isAll = process.env.CONVENE_ALL === '1'

describe.each(LANGUAGES)('the twelve jobs (%s)', (language) => {
  const jobs = jobsIn(language)
  const done = (form: number): Job[] =>
    jobs.filter(({ id }, n) => !BEYOND.has(id) && (isAll || (n + LANGUAGES.indexOf(language)) % 2 === form))

  it('are twelve, each with a name of its own', () => {
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(12)
    expect(jobs.filter(({ mustRefuse }) => mustRefuse)).toHaveLength(1)
  })

  it.each(jobs)('$id: a team that only says that it is done has not done it', (job) => {
    expect(job.check(untouched(job))).not.toEqual([])
  })

  it.each(done(0))('$id is done by the rehearsal', async (job) => {
    const result = await runJob(job, { model, workshop })
    expect([result.why, isRight(job, result)]).toEqual([[], true])
  })

  it.each(done(1))('[R341] $id is done by the rehearsal as objects of a schema', async (job) => {
    const result = await runJob(job, { model: heldToSchemas(model), workshop })
    expect([result.why, isRight(job, result), result.form]).toEqual([[], true, 'schema'])
    expect(result.repairs).toEqual({})
  })

  it.each(jobs.filter(({ id }) => BEYOND.has(id)))(
    '$id is refused by the rehearsal in words, in both forms',
    async (job) => {
      for (const form of [model, heldToSchemas(model)]) {
        const result = await runJob(job, { model: form, workshop })
        expect(result.verdict).toBe('refused')
        expect(result.why).not.toEqual([])
      }
    },
  )
})
