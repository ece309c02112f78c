/** A call that people are asked about: what each decision sets going. */

import { describe, expect, it } from 'vitest'
import { ANA, goals, must, READER, stepNow, stepsOf, storyOf } from '@/test/stories'
import { outcomeOf, planned } from '@/test/worldHistories'
import { bodyOf } from './bodies'
import type { BodyRef } from './records'

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
    return { story, running, args: args.ref, put }
  }

  it('[R11] that says edited needs the arguments', () => {
    const { story, running, put } = held()
    expect(put('approve_edited', null)).toBeNull()
    expect(stepNow(story.world, running)).toMatchObject({ state: 'pending', approvedBy: null })
  })

  it('[R11] that says as shown runs what was shown, whatever else came with it', () => {
    const { story, running, args, put } = held()
    put('approve', bodyOf('{"n":2}', 'application/json').ref)
    expect(stepNow(story.world, running)).toMatchObject({
      approvedBy: { by: ANA, edited: false, digest: args.sha },
      instruction: { arguments: args },
    })
  })
})
