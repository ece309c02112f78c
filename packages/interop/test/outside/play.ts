/** Agents of other systems ask for work, answer what they are asked, and get the result, while the place stops and starts again. */
import { strict as assert } from 'node:assert'
import { found, LISTS, type Place, type Work } from './place'

/** What the requester was told, in the terms of no protocol. about: its request, where the protocol names it. */
export type Heard = {
  id: string
  status: string | null
  text: string
  from: string
  about: string | null
  files: { name: string; text: string }[]
}

/** An agent of another system, in the language that it speaks. */
export type Requester = {
  name: string
  /** The folder of its two lists. */
  folder: string
  /** The id by which it knows its request; null where the protocol has none. */
  request: string | null
  ask(): Promise<void>
  /** All that came, each message once, in its order. */
  heard(): Promise<Heard[]>
  answer(question: Heard, text: string): Promise<void>
  /** Reach the place after it was away. */
  reach(): Promise<void>
  close(): void
}

/** What just happened to a requester. */
export type Moment = 'asked for work' | 'was asked' | 'answered' | 'got the end'

const ANSWER = '3.50'
const NOT_THE_ANSWER = '3.20'

/**
 * Play it to the end and check what each requester got.
 *
 * in      between: called after each moment, with the number of moments of that kind so far; out: true when the place was away
 * faults  an AssertionError, or an Error with the story, when something did not come, or came twice
 */
export async function play(
  place: Place,
  requesters: readonly Requester[],
  between: (moment: Moment, count: number) => Promise<boolean>,
): Promise<void> {
  const counts = new Map<Moment, number>()
  const happened = async (moment: Moment): Promise<void> => {
    const count = (counts.get(moment) ?? 0) + 1
    counts.set(moment, count)
    if (await between(moment, count)) for (const one of requesters) await one.reach()
  }
  for (const one of requesters) {
    for (const [name, text] of Object.entries(LISTS)) place.write(`${one.folder}/${name}`, text)
    await one.ask()
    await happened('asked for work')
  }
  const [unasked, working] = [new Set(requesters), new Set(requesters)]
  /** out: what one of them got that it had not got before; null: nothing */
  const next = async (): Promise<(() => Promise<void>) | null> => {
    await place.allowCalls()
    for (const one of working) {
      const heard = await one.heard()
      const question = heard.find(({ status }) => status === 'input_required')
      if (question !== undefined && unasked.delete(one))
        return async () => {
          assert.ok(question.text.includes(`apple: ${NOT_THE_ANSWER}`), question.text)
          await happened('was asked')
          await one.answer(question, ANSWER)
          await happened('answered')
        }
      if (heard.some(({ status }) => status === 'finished' || status === 'failed')) {
        working.delete(one)
        return () => happened('got the end')
      }
    }
    return null
  }
  // Each wait has its own limit: how long all of it takes depends on the machine and on how often the place was away.
  while (working.size > 0) {
    const go = await found(
      () => `the end for ${[...working].map(({ name }) => name).join(', ')}\n${place.story()}`,
      next,
    )
    await go()
  }
  for (const one of requesters) checkHeard(place, one, await one.heard())
  checkWorks(await place.works(), requesters.length)
}

/** The place starts again when the work was begun, and when the answer was given. */
export const restartTwice =
  (place: Place): Parameters<typeof play>[2] =>
  async (moment) => {
    if (moment !== 'asked for work' && moment !== 'answered') return false
    await place.restart()
    return true
  }

/** One question, one end with the report, and progress between; each once. */
function checkHeard(place: Place, { name, request }: Requester, heard: readonly Heard[]): void {
  const all = `${name} got ${JSON.stringify(heard, null, 1)}`
  const withStatus = (wanted: string): Heard[] => heard.filter(({ status }) => status === wanted)
  assert.equal(new Set(heard.map(({ id }) => id)).size, heard.length, `an id twice: ${all}`)
  assert.equal(withStatus('input_required').length, 1, `questions: ${all}`)
  assert.equal(withStatus('finished').length, 1, `ends: ${all}`)
  assert.deepEqual(withStatus('failed'), [], all)
  assert.ok(withStatus('working').length > 0, `no progress: ${all}`)
  const texts = heard.map(({ text }) => text)
  assert.equal(new Set(texts).size, texts.length, `the same twice: ${all}`)
  const stated = heard.filter(({ status }) => status !== null)
  assert.deepEqual([...new Set(stated.map(({ about }) => about))], [request], `about its request: ${all}`)
  // One agent of ours speaks to it, no matter which works.
  assert.equal(new Set(stated.map(({ from }) => from)).size, 1, `speakers: ${all}`)
  const [end] = withStatus('finished')
  assert.equal(heard.at(-1), end, `after the end: ${all}`)
  assert.ok(end?.text.includes('is finished'), all)
  const path = /The report is at (\S+?)\.(?:\s|$)/.exec(end?.text ?? '')?.[1] ?? ''
  const report = place.read(path)
  assert.ok(report?.includes(ANSWER), `the report at “${path}”: ${report}`)
  assert.deepEqual(end?.files, [{ name: path.slice(path.lastIndexOf('/') + 1), text: report }], all)
}

/** A task for each request; its requester is not in its group, and nothing is said twice in it. */
function checkWorks(works: readonly Work[], count: number): void {
  assert.equal(works.length, count, `work: ${works.map(({ name }) => name).join(', ')}`)
  for (const { name, state, requestedBy, group, said } of works) {
    assert.equal(state, 'finished', name)
    assert.ok(!group.includes(requestedBy), `${name} has its requester as a member`)
    const twice = said.filter((line, at) => said.indexOf(line) !== at)
    assert.deepEqual(twice, [], `said twice in ${name}`)
  }
}
