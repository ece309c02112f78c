/** Which entries have a line in the search. */
import { describe, expect, it } from 'vitest'
import type { EventShape } from '@/lib/mas/events'
import { type AgentId, asId } from '@/lib/mas/ids'
import { sampleShapeOf } from '@/test/samples'
import { like } from '@/test/sampleWorld'
import { searchLineOf } from './lines'

describe('the lines of the search', () => {
  const said = (change: Partial<EventShape<'message.sent'>>) =>
    searchLineOf({ event: like('message.sent', { sender: asId<AgentId>('ana'), instruction: null, ...change }) })

  it('[R571] have the messages of tasks and of talks alike: who reads one is asked of the found one', () => {
    expect(said({ audience: 'task', text: 'Hello' })).toMatchObject({ kind: 'message', text: 'Hello' })
    const members = [asId<AgentId>('ana'), asId<AgentId>('ben')] as const
    expect(said({ audience: { members }, text: 'Hello' })).toMatchObject({ kind: 'message', text: 'Hello' })
  })

  it('have a request by its question; one without a question of its own is found by its message', () => {
    const { question } = sampleShapeOf('request.opened').seed
    expect(searchLineOf({ event: like('request.opened') })).toMatchObject({ kind: 'request', text: question })
    expect(searchLineOf({ event: like('message.asked') })).toBeNull()
  })
})
