/** Slots of strangers: as many as a client may hold, given back once. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { openSlots, showedWhoItIs } from './slots'

it('[R93] a client holds so many slots and another one its own; each is given back once', () => {
  const slots = openSlots(2)
  const [one, two, three, other] = [{}, {}, {}, {}]
  expect([slots.take('a', one), slots.take('a', two), slots.take('a', three), slots.take('b', other)]).toEqual([
    true,
    true,
    false,
    true,
  ])
  expect(slots.held()).toBe(3)
  slots.free(three)
  expect(slots.held()).toBe(3)
  slots.free(one)
  slots.free(one)
  expect(slots.held()).toBe(2)
  expect([slots.take('a', three), slots.take('a', {})]).toEqual([true, false])
})

it('[R93] a request that showed who it is gives back the slot of its connection, and its own', () => {
  const slots = openSlots(2)
  const request = new IncomingMessage(new Socket())
  slots.take('a', request.socket)
  slots.take('a', request)
  showedWhoItIs(request)
  expect(slots.held()).toBe(0)
})
