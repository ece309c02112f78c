/** The faulty store does what its script says and nothing else. */
import { expect, it } from 'vitest'
import { type BatchItem, StoreBrokenError, StoreUnansweredError } from '@/server/store'
import { faultyStore } from './faultyStore'
import { memoryStore } from './memoryStore'

const item = (id: string): BatchItem => ({ id, by: 'ana', events: [{ type: 'message.sent', v: 1, id }] })

it('passes what the script does not name', async () => {
  const { journal, appends } = faultyStore(memoryStore())
  const { epoch, seq } = await journal.take('north')
  expect((await journal.append(epoch, seq, [item('c1')])).r).toBe('OK')
  expect(appends).toMatchObject([{ fate: 'pass', ids: ['c1'], answer: { r: 'OK' } }])
})

it('lostBefore writes nothing, lostAfter has written, both without an answer', async () => {
  const { journal } = faultyStore(memoryStore(), 'lostBefore', 'lostAfter')
  const { epoch, seq } = await journal.take('north')
  await expect(journal.append(epoch, seq, [item('c1')])).rejects.toThrow(StoreUnansweredError)
  expect((await journal.head()).seq).toBe(seq)
  await expect(journal.append(epoch, seq, [item('c1')])).rejects.toThrow(StoreUnansweredError)
  expect((await journal.read(seq, 10)).map((entry) => entry.cause)).toEqual(['c1'])
  expect((await journal.append(epoch, seq + 1, [item('c2')])).r).toBe('OK')
})

it('a hung append that arrives after a take-over is fenced', async () => {
  const store = faultyStore(memoryStore(), 'hang')
  const { epoch, seq } = await store.journal.take('north')
  const late = store.journal.append(epoch, seq, [item('c1')])
  await store.untilHanging()
  expect((await store.journal.head()).seq).toBe(seq)
  await store.journal.take('north')
  store.release()
  expect(await late).toEqual({ r: 'FENCED', epoch: epoch + 1 })
  expect(store.hanging()).toBe(0)
})

it('hangAfter is in the journal before its answer is', async () => {
  const store = faultyStore(memoryStore(), 'hangAfter')
  const { epoch, seq } = await store.journal.take('north')
  const slow = store.journal.append(epoch, seq, [item('c1')])
  await store.untilHanging()
  expect((await store.journal.head()).seq).toBe(seq + 1)
  store.release()
  expect((await slow).r).toBe('OK')
})

it('refuse ends the journal', async () => {
  const store = faultyStore(memoryStore())
  store.script('refuse')
  const { epoch, seq } = await store.journal.take('north')
  await expect(store.journal.append(epoch, seq, [item('c1')])).rejects.toThrow(StoreBrokenError)
  await expect(store.journal.append(epoch, seq, [item('c1')])).rejects.toThrow(StoreBrokenError)
  await expect(store.journal.take('north')).rejects.toThrow(StoreBrokenError)
})
