/** A call that people are asked about: what each decision sets going. */
import { describe, expect, it } from 'vitest'
import { ANA, goals, must, READER, stepNow, stepsOf, storyOf } from '@/test/stories'
import { outcomeOf, planned } from '@/test/worldHistories'
import { bodyOf } from '../bodies'
import { decide } from '../commands'
import type { BodyRef } from '../records'

describe('a confirmation', () => {
  /** The reader's call is held; Ana decides. */
  function held() {
    const { story } = storyOf(goals('read', READER))
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('reflection')] } }),
    )
    const args = bodyOf('{"n":1}', 'application/json')
    const tool = must(
      stepsOf(story.world, READER).find((step) => step.type === 'tool'),
      'tool',
    )
    story.run(READER, () =>
      outcomeOf({
        instruct: {
          step: tool.id,
          instruction: { kind: 'call', target: 'tool', name: 'write', arguments: args.ref },
        },
      }),
    )
    const running = must(story.start(READER), 'tool')
    const call = { server: 'files', tool: 'write', arguments: args.ref, digest: args.ref.sha, changes: '' }
    story.put('system:runner', { type: 'holdStep', step: running.id, attempt: 1, call })
    const request = must(
      story.openRequests().find((one) => one.kind === 'confirm'),
      'confirmation',
    )
    const put = (decision: 'approve' | 'approve_edited', edited: BodyRef | null) =>
      story.put(ANA, {
        type: 'answerRequest',
        request: request.id,
        decision,
        text: '',
        arguments: edited,
        digest: args.ref.sha,
      })
    /** The code of the refusal; null: it would be done. */
    const refusal = (
      by: string,
      decision: 'approve' | 'refuse',
      text: string,
      digest: string | null,
    ): string | null => {
      const command = { type: 'answerRequest', request: request.id, decision, text, arguments: null, digest } as const
      const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
      return decided.ok ? null : decided.fault.code
    }
    return { story, running, args: args.ref, put, refusal }
  }

  it('[R11] that says edited needs the arguments', () => {
    const { story, running, put } = held()
    expect(put('approve_edited', null)).toBeNull()
    expect(stepNow(story.world, running)).toMatchObject({ state: 'pending', approvedBy: null })
  })

  it('[R11] [R280] approves what was shown: with other arguments beside it, nothing is approved', () => {
    const { story, running, args, put } = held()
    expect(put('approve', bodyOf('{"n":2}', 'application/json').ref)).toBeNull()
    expect(stepNow(story.world, running)).toMatchObject({ state: 'pending', approvedBy: null })
    put('approve', null)
    expect(stepNow(story.world, running)).toMatchObject({
      approvedBy: { by: ANA, edited: false, digest: args.sha },
      instruction: { arguments: args },
    })
  })

  it('[R11] is refused with a reason only; to approve it nobody needs one', () => {
    const { args, refusal } = held()
    expect(['', '  ', 'not there'].map((text) => refusal(ANA, 'refuse', text, args.sha))).toEqual([
      'REASON_MISSING',
      'REASON_MISSING',
      null,
    ])
    expect(refusal(ANA, 'approve', '', args.sha)).toBeNull()
  })
})
