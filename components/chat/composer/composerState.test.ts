/** A composer's fields in a draft: what was chosen comes back as it was, and what is as usual takes no room. */
import { describe, expect, it } from 'vitest'
import { asId, type MessageId, type RequestId } from '@/lib/mas/ids'
import { besideWith } from '@/lib/wire/drafts'
import { attachedDraftOf, type ComposerState, composerOf, stageField } from './composerState'

const USUAL = composerOf({})
const CHOSEN: ComposerState = {
  to: ['tester', 'group:designers'],
  type: 'urgent',
  ...stageField('stage-2'),
  replyTo: asId<MessageId>('m1'),
  request: asId<RequestId>('r1'),
  answerOff: true,
  files: [{ id: 'f', sha: 'abc', name: 'a.png', mime: 'image/png', bytes: 3, alt: 'a bolt' }],
}

describe('a composer in a draft', () => {
  it('a draft keeps the receivers, type, stage, reply, answer and files of a composer', () => {
    expect(composerOf(besideWith({}, attachedDraftOf(CHOSEN)))).toEqual(CHOSEN)
    const noStage = besideWith({}, attachedDraftOf({ ...CHOSEN, ...stageField(null) }))
    expect(composerOf(noStage)).toMatchObject({ noStage: true })
    // As it would go over the wire and into a store.
    expect(composerOf(JSON.parse(JSON.stringify(noStage)))).toEqual(composerOf(noStage))
  })

  it('a draft leaves out the defaults of a composer', () => {
    expect(
      besideWith(besideWith({}, attachedDraftOf(CHOSEN)), attachedDraftOf({ ...USUAL, stage: undefined })),
    ).toEqual({})
    expect(USUAL).toMatchObject({ to: [], type: 'fyi', noStage: false, answerOff: false, files: [] })
  })

  it('a change of one field of a composer leaves the others', () => {
    const before = besideWith({}, attachedDraftOf(CHOSEN))
    expect(composerOf(besideWith(before, attachedDraftOf({ replyTo: null })))).toEqual({ ...CHOSEN, replyTo: null })
    expect(composerOf(besideWith(before, attachedDraftOf({ stage: undefined }))).stage).toBeUndefined()
  })

  it('unknown fields of a draft are read as defaults', () => {
    expect(composerOf({ to: 'everyone', files: 3 })).toEqual(USUAL)
  })
})
