/** The form of another system: what it must hold before it is sent, and how it is sent. */
import { expect, it } from 'vitest'
import { draftOf, missingFieldOf, type PeerDraft, peerSpecOf } from './peerCalls'

const draft = (more: Partial<PeerDraft> = {}): PeerDraft => ({
  ...draftOf(null),
  uri: 'agent://south.example/*',
  ...more,
})

it('says what is not right yet, one thing at a time', () => {
  expect(missingFieldOf(draftOf(null))).toBe('uri')
  expect(missingFieldOf(draft({ may: [] }))).toBe('may')
  expect(missingFieldOf(draft({ baseUrl: 'south.example' }))).toBe('address')
  expect(missingFieldOf(draft({ sendKeyEnv: 'OPENAI_API_KEY' }))).toBe('variable')
  expect(missingFieldOf(draft({ baseUrl: ' https://south.example ', signingKeyEnv: 'CONVENE_PEER_SOUTH' }))).toBeNull()
  for (const wrong of [{ tasks: '' }, { tasks: '1.5' }, { tasks: '0' }, { tokensPerDay: 'many' }, { costPerDay: '-1' }])
    expect(missingFieldOf(draft(wrong))).toBe('limits')
  expect(missingFieldOf(draft({ tasks: '2', tokensPerDay: '1000', costPerDay: '0.5' }))).toBeNull()
  expect(missingFieldOf(draft({ may: ['map', 'mamp'], signingKeyEnv: 'CONVENE_PEER_SOUTH' }))).toBe('unsigned')
})

it('sends what was left empty as nothing, and actions one by one', () => {
  expect(peerSpecOf(draft({ actions: 'ask, start_task，' }))).toMatchObject({
    baseUrl: null,
    sendKeyEnv: null,
    actions: ['ask', 'start_task'],
    limits: { tasks: 5, tokensPerDay: null, costPerDay: null },
  })
  expect(peerSpecOf(draft({ tasks: '2', tokensPerDay: '1000', costPerDay: '0.5' })).limits).toEqual({
    tasks: 2,
    tokensPerDay: 1_000,
    costPerDay: 0.5,
  })
})
