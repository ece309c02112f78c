/** A task of many steps, most of which have left the world, with the index of all of them. */
import { event, type MasEvent } from '@/lib/mas/events'
import { asId, type StageId, type StepId } from '@/lib/mas/ids'
import type { StepSeed } from '@/lib/mas/steps/events'
import { openSearched } from './searched'
import { ID, seed } from './world'

export const stepId = (place: number): StepId =>
  asId<StepId>(`00000000-0000-4000-9000-${String(place).padStart(12, '0')}`)

/** A stage in which nothing else was done. */
export const LONG = asId<StageId>('00000000-0000-4000-8000-000000000299')
const begun = [
  event('stage.added', {
    ...{ task: ID.prices, stage: LONG, intention: 'count', after: null, retryOf: null },
    allocation: { [ID.reader]: 'count' },
  }),
  event('stage.started', { task: ID.prices, stage: LONG }),
]

/** Of the reader in that stage: `count <place>` each; in: fails: places of those that failed; more: of single ones */
export function ranSteps(
  count: number,
  fails: readonly number[] = [],
  more: (place: number) => Partial<StepSeed> = () => ({}),
): MasEvent[] {
  return Array.from({ length: count }, (_, place) => {
    const step = stepId(place)
    const about = { task: ID.prices, agent: ID.reader, step }
    return [
      event('step.added', seed(step, ID.prices, { intention: `count ${place}`, stage: LONG, ...more(place) })),
      event('step.started', { ...about, node: 'n1', epoch: 1, attempt: 1 }),
      fails.includes(place)
        ? event('step.failed', { ...about, reason: 'no answer', result: null, repairs: [] })
        : event('step.finished', {
            ...about,
            result: { kind: 'text', text: 'done', body: null, made: null },
            repairs: [],
          }),
    ]
  }).flat()
}

export const leave = (from: number, to: number): MasEvent =>
  event('records.evicted', {
    task: ID.prices,
    steps: { [ID.reader]: Array.from({ length: to - from }, (_, at) => stepId(from + at)) },
    messages: [],
    requests: [],
  })

const AT_ONCE = 100
/** The same, of which those of before have always left: a world of thousands of steps takes long to change. */
export function leftSteps(count: number, fails: readonly number[]): MasEvent[] {
  const [all, each] = [ranSteps(count, fails), 3]
  return Array.from({ length: Math.ceil(count / AT_ONCE) }, (_, at) => [
    ...all.slice(at * AT_ONCE * each, (at + 1) * AT_ONCE * each),
    leave(at * AT_ONCE, Math.min(count, (at + 1) * AT_ONCE)),
  ]).flat()
}

/** in: events: what happens in the task. out: get: what a person is answered about its tree */
export async function openTree(events: MasEvent[]) {
  const double = await openSearched()
  await double.engine.put([...begun, ...events])
  await double.caughtUp()
  const cookies = new Map<string, string>()
  const get = async (person: string, path: string, task: string = ID.prices) => {
    const cookie = cookies.get(person) ?? (await double.signIn(person))
    cookies.set(person, cookie)
    return (await double.call('GET', `/api/tasks/${task}/tree/${path}`, { cookie })).json
  }
  return { ...double, get }
}
