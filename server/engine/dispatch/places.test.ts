/** Where the next step of an agent goes. */
import { expect, it } from 'vitest'
import { type AgentId, asId } from '@/lib/mas/ids'
import { openTask, outcomeOf, Story, send, TEAM } from '@/test/worldHistories'
import { openPlaces } from './places'

const agent = (n: number): AgentId => asId<AgentId>(`a${n}`)
const placesOf = (...others: string[]) => {
  const places = openPlaces('north')
  for (const other of others) places.add(other)
  return places
}

it('[R254] steps go to the node that runs the least, first to the one that decides', () => {
  const places = placesOf('south', 'west')
  expect([1, 2, 3, 4].map((n) => places.choose(agent(n)))).toEqual(['north', 'south', 'west', 'north'])
})

it('[R254] a chain stays at its node unless another runs two fewer', () => {
  const places = placesOf()
  for (const n of [1, 2, 3]) places.choose(agent(n))
  places.add('south')
  expect([1, 2, 3].map((n) => places.choose(agent(n), 'north'))).toEqual(['south', 'north', 'north'])
  expect(places.choose(agent(1), 'south')).toBe('south')
})

it('[R254] a node that is gone gets nothing, and its chains go on elsewhere', () => {
  const places = placesOf('south')
  expect([1, 2].map((n) => places.choose(agent(n)))).toEqual(['north', 'south'])
  places.remove('south')
  expect(places.choose(agent(2), 'south')).toBe('north')
  // It always takes its own.
  places.remove('north')
  expect(places.choose(agent(3))).toBe('north')
})

it('[R254] what the journal says counts: an agent whose step is over runs nowhere', () => {
  const { ana, reader, analyst } = TEAM
  const story = new Story()
  const task = openTask(story)
  if (task === null) throw new Error('there is no task')
  story.put(ana.id, send(ana.id, [reader.id, analyst.id], { task }))
  const places = placesOf('south')
  const told = <T>(act: () => T): T => {
    const before = story.entries.length
    const made = act()
    places.onEntries(story.entries.slice(before), story.world)
    return made
  }
  // The steps of a story begin at n1.
  places.add('n1')
  const steps = [reader, analyst].flatMap(({ id }) => told(() => story.start(id)) ?? [])
  expect(steps).toHaveLength(2)
  expect([1, 2, 3].map((n) => places.choose(agent(n)))).toEqual(['north', 'south', 'north'])
  for (const step of steps) told(() => story.finish(step, outcomeOf({})))
  expect(places.choose(agent(4))).toBe('n1')
})

it('[R264] what needs the files goes to the node that runs the least of those that have them', () => {
  const places = placesOf('south')
  expect(places.differ()).toBe(false)
  places.add('bare', false)
  expect(places.differ()).toBe(true)
  expect([1, 2, 3].map((n) => places.choose(agent(n), undefined, true))).toEqual(['north', 'south', 'north'])
  expect([4, 5].map((n) => places.choose(agent(n)))).toEqual(['bare', 'south'])
  // Its chain leaves the node for a call that it cannot do there.
  expect([places.choose(agent(4), 'bare'), places.choose(agent(4), 'bare', true)]).toEqual(['bare', 'north'])
  places.remove('bare')
  expect(places.differ()).toBe(false)
})
