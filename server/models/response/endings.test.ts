/** Which words end an answer, and how. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endingIn, endingOf } from './endings'

const kindOf = (word: unknown) => endingOf(word)?.kind ?? null

describe('[R410] the word that ends an answer', () => {
  it.each([
    [
      'stop',
      [
        'stop',
        'STOP',
        'Stop',
        'eos',
        'eos_token',
        'end_turn',
        'stop_sequence',
        'COMPLETE',
        'FINISH_REASON_STOP',
        'eosFound',
      ],
    ],
    [
      'length',
      [
        'length',
        'max_tokens',
        'MAX_TOKENS',
        'maxTokens',
        'max-tokens',
        'model_length',
        'model_context_window_exceeded',
        'max_output_tokens',
        'contextLengthReached',
        'ERROR_LIMIT',
      ],
    ],
    [
      'filter',
      [
        'content_filter',
        'contentFilter',
        'SAFETY',
        'safety',
        'RECITATION',
        'sensitive',
        'refusal',
        'BLOCKLIST',
        'PROHIBITED_CONTENT',
        'SPII',
        'guardrail_intervened',
        'ERROR_TOXIC',
      ],
    ],
    ['toolCall', ['tool_calls', 'function_call', 'tool_use', 'MALFORMED_FUNCTION_CALL']],
    [
      'broken',
      [
        'insufficient_system_resource',
        'network_error',
        'abort',
        'error',
        'OTHER',
        'load',
        'unload',
        'cancelled',
        'timeout',
        'pause_turn',
        'a word of tomorrow',
        7,
        true,
        ['stop'],
      ],
    ],
    [null, [null, undefined, '', ' ', 'null', 'None', false, 'FINISH_REASON_UNSPECIFIED', { type: null }, {}]],
  ])('means an answer that is %s, in any spelling', (kind, words) => {
    expect(words.map((word) => [word, kindOf(word)])).toEqual(words.map((word) => [word, kind]))
  })

  it('is broken whatever it is, unless it is known', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12 }), (noise) => {
        const ending = endingOf(`zz${noise}`)
        expect(ending?.kind).toBe('broken')
      }),
    )
  })

  it('may be an object, have its other names, or stand in the field of the server behind', () => {
    expect(endingOf({ type: 'length', length: 50 })).toEqual({ kind: 'length', word: 'length' })
    expect(endingIn({ finishReason: 'stop' })?.kind).toBe('stop')
    expect(endingIn({ finish_reason: null, native_finish_reason: 'MAX_TOKENS' })?.kind).toBe('length')
    expect(endingIn({ finish_reason: '', finishReason: 'SAFETY' })?.kind).toBe('filter')
    expect(endingIn({ finish_reason: 'length', native_finish_reason: 'stop' })?.kind).toBe('length')
    expect([endingIn({}), endingIn(null), endingIn('stop')]).toEqual([null, null, null])
  })
})
