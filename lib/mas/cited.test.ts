import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anchorsIn, liftAnchors, withAnchors, withSourceNames } from './cited'

const sources = { cit_8: {}, 'cit_8:4': {}, cit_12: {} }

describe('anchors in a text of ours', () => {
  it('002-11 [R162] name an item of the history, or a line of it', () => {
    expect(anchorsIn('Apples [cit_8:4], pears <cite id="cit_12"/> and apples [cit_8:4] [cit_x] [12].')).toEqual([
      { id: 'cit_8:4', step: 8, line: 4 },
      { id: 'cit_12', step: 12, line: null },
    ])
  })

  it('002-11 [R162] are lifted out where they have a source, and put back at the same places', () => {
    const lifted = liftAnchors('Apples cost 3.20 [cit_8:4], pears<cite id="cit_12"/> 2 [cit_99].', sources)
    expect(lifted).toEqual({
      text: 'Apples cost 3.20, pears 2 [cit_99].',
      at: [
        { offset: 16, id: 'cit_8:4' },
        { offset: 23, id: 'cit_12' },
      ],
    })
    expect(withAnchors(lifted.text, lifted)).toBe(
      'Apples cost 3.20<cite id="cit_8:4"/>, pears<cite id="cit_12"/> 2 [cit_99].',
    )
  })

  it('002-11 come back the same however they stand, and nothing of the text is lost', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('[cit_8]', '<cite id="cit_12"/>', '[cit_8:4]', ' ', '[cit_'))
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = liftAnchors(pieces.join(''), sources)
        const again = liftAnchors(withAnchors(once.text, once), sources)
        expect(again.at.map(({ id }) => id)).toEqual(once.at.map(({ id }) => id))
        const bare = (text: string) => text.replaceAll(' ', '')
        expect(bare(again.text)).toBe(bare(once.text))
      }),
    )
  })

  it('002-11 stand as the names of their sources where a reader has no panel', () => {
    const named = {
      cit_8: { source_name: 'read prices/north.csv' },
      'cit_8:4': { source_name: 'read prices/north.csv' },
    }
    const { text, at } = liftAnchors('Apples cost 3.20 [cit_8:4], pears 2 [cit_8].', named)
    expect(withSourceNames(text, { at, sources: named })).toBe(
      'Apples cost 3.20 (read prices/north.csv, line 4), pears 2 (read prices/north.csv).',
    )
  })

  it('an offset beyond a text that was shortened since stands at its end', () => {
    expect(withAnchors('ab', { at: [{ offset: 9, id: 'cit_8' }] })).toBe('ab<cite id="cit_8"/>')
  })
})
