/** What the reports of servers mean, in the shapes in which they come. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanSentence, modelErrorOf } from './fault'
import { refusedIn } from './limits'
import { errorIn, errorInText } from './serverError'
import { retryAfterMs, waitAsked } from './waits'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const KEY = 'sk-a-very-secret-key-0123456789'
const faultOf = (status: number | null, body: unknown, headers = {}, hasBegun = false) =>
  modelErrorOf({
    status,
    headers,
    error: typeof body === 'string' ? errorInText(body) : errorIn(body),
    secrets: [KEY],
    now: NOW,
    hasBegun,
  })

describe('[R411] the sentence of a server', () => {
  it.each([
    [{ error: { message: 'slow down', type: 'tokens' } }, 'slow down'],
    [{ error: 'Context size has been exceeded' }, 'Context size has been exceeded'],
    [[{ error: { code: 429, message: 'Quota of today', status: 'RESOURCE_EXHAUSTED' } }], 'Quota of today'],
    [{ detail: 'Not authenticated' }, 'Not authenticated'],
    [
      { detail: [{ type: 'missing', loc: ['body', 'messages', 0], msg: 'Field required', input: { secret: 'x' } }] },
      'body.messages.0: Field required',
    ],
    [{ object: 'error', message: { detail: [{ loc: ['body', 'n'], msg: 'too many' }] } }, 'body.n: too many'],
    [{ errors: [{ code: 7009, message: 'Upstream is gone' }], success: false }, 'Upstream is gone'],
    [{ error: ['Error in `parameters`', 'and more'] }, 'Error in `parameters`: and more'],
    [
      {
        error: {
          message: 'Provider returned error',
          code: 429,
          metadata: { raw: '{"error":{"message":"TPM reached"}}' },
        },
      },
      'Provider returned error: TPM reached',
    ],
    [
      { error: { message: 'Provider returned error', metadata: { raw: 'plain words' } } },
      'Provider returned error: plain words',
    ],
    [
      { timestamp: 1, status: 500, error: 'Internal Server Error', message: 'worker lost', path: '/v1' },
      'worker lost: Internal Server Error',
    ],
    [{ type: 'about:blank', title: 'Busy', detail: 'Too many jobs', status: 503 }, 'Too many jobs: Busy'],
    [{ base_resp: { status_code: 1002, status_msg: 'rate limit' } }, 'rate limit'],
    [{ error_code: 336100, error_msg: 'please try again' }, 'please try again'],
    [{ Message: 'Too many tokens', __type: 'ThrottlingException' }, 'Too many tokens'],
    [{ error: { code: 'server_error' } }, 'server_error'],
    [{ error: { message: 'same', detail: 'same' } }, 'same'],
    ['{"error":{"message":"{\\"error\\":{\\"message\\":\\"inner\\"}}"}}', 'inner'],
    [
      '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>',
      '502 Bad Gateway',
    ],
    [
      '<!doctype html><title>Sign in to the network</title><h1>Captive &amp; portal</h1>',
      'Sign in to the network: Captive & portal',
    ],
    ['<html>broken</html>', 'broken'],
    ['event: error\ndata: {"error":{"message":"as a stream"}}\n\ndata: [DONE]\n', 'as a stream'],
    ['upstream connect error\n or disconnect', 'upstream connect error or disconnect'],
    ['', ''],
    ['{}', ''],
    ['null', ''],
  ])('of %j is %j', (body, sentence) => {
    const error = typeof body === 'string' ? errorInText(body) : errorIn(body)
    expect(error.sentence).toBe(sentence)
  })

  it('is bounded and never holds the key, a part of it, or what looks like one', () => {
    const quotes = [
      `bad key ${KEY}`,
      `Incorrect API key provided: ${KEY.slice(0, 12)}****6789.`,
      `the key ending ${KEY.slice(-9)}`,
      `the key ending in ${KEY.slice(-4)}`,
      'Incorrect key: sk-1',
      'header Bearer abcdefghi',
      'POST /v1/chat?api_key=abcdefgh&x=1',
      'hf_abcdefghijkl and AIzaSyABCDEF',
    ].map((text) => cleanSentence(text, [KEY]))
    expect(quotes).toEqual([
      'bad key ***',
      'Incorrect API key provided: ***',
      'the key ending ***',
      'the key ending in ***',
      'Incorrect key: ***',
      'header Bearer ***',
      'POST /v1/chat?api_key=***&x=1',
      '*** and ***',
    ])
    expect(cleanSentence('b'.repeat(999), []).length).toBe(300)
    expect(cleanSentence(`${'b'.repeat(299)}😀`, [])).toBe('b'.repeat(299))
  })

  it('never holds the key wherever and in whatever shape the server puts it', () => {
    const shape = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(KEY, `say ${KEY}!`, KEY.slice(3), 'plain', 429),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('error', 'message', 'detail', 'code', 'metadata', 'raw', 'errors'), tie('value')),
      ),
    })).value
    const limits = process.env.CONVENE_ALL === '1' ? { numRuns: 5_000 } : { numRuns: 300, seed: 4711 }
    fc.assert(
      fc.property(shape, fc.constantFrom(null, 200, 400, 401, 429, 500), (body, status) => {
        const fault = faultOf(status, body)
        expect(`${fault.message} ${JSON.stringify(fault.details)}`).not.toContain(KEY.slice(3, 20))
        expect(fault.message.length).toBeLessThan(400)
      }),
      limits,
    )
  })
})

describe('[R412] whether a repeat may succeed', () => {
  it.each<[number | null, unknown, string, boolean]>([
    [200, { error: { message: 'rate limited upstream', code: 429 } }, 'tooMany', true],
    [200, { error: { message: 'rate limited upstream', code: '429' } }, 'tooMany', true],
    [200, { error: { message: 'overloaded', code: 502 } }, 'serverBroken', true],
    [null, { error: { message: 'Overloaded', type: 'overloaded_error' }, type: 'error' }, 'serverBroken', true],
    [null, { error: 'Request timed out' }, 'timeLimit', true],
    [null, { error: 'something nobody knows' }, 'serverBroken', true],
    [null, { error: { message: 'Provider disconnected', code: 'server_error' } }, 'serverBroken', true],
    [null, { base_resp: { status_code: 1002, status_msg: 'busy' } }, 'tooMany', true],
    [null, { code: 'Throttling.RateQuota', message: 'Requests throttled' }, 'tooMany', true],
    [null, { error: { code: '1302', message: '您的账户已达到速率限制' } }, 'tooMany', true],
    [null, { error: { code: '1113', message: '您的账户已欠费' } }, 'outOfCredit', false],
    [null, { error: { message: 'messages: required', type: 'invalid_request_error' } }, 'requestRefused', false],
    [null, { error: { message: 'No auth credentials found: invalid token', code: 401 } }, 'keyRefused', false],
    [null, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }, 'modelUnknown', false],
    [400, { error: { code: 'content_filter', message: 'The prompt was filtered' } }, 'filtered', false],
    [400, { error: { code: 'rate_limit_exceeded', message: 'slow' } }, 'tooMany', true],
    [
      400,
      { error: { message: 'Provider returned error', code: 400, metadata: { raw: '{"code":429}' } } },
      'requestRefused',
      false,
    ],
    [500, { error: { message: 'litellm.RateLimitError', code: '429' } }, 'tooMany', true],
    [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'serverBroken', true],
    [408, '', 'timeLimit', true],
    [409, '', 'serverBroken', true],
    [425, '', 'tooMany', true],
    [498, '', 'tooMany', true],
    [524, '<html>', 'serverBroken', true],
    [501, 'no streaming', 'requestRefused', false],
    [402, { error: { message: 'Insufficient Balance' } }, 'outOfCredit', false],
    [429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }, 'outOfCredit', false],
    [
      429,
      [
        {
          error: {
            code: 429,
            message: 'You exceeded your current quota, check billing',
            details: [{ retryDelay: '37s' }],
          },
        },
      ],
      'tooMany',
      true,
    ],
    [400, { error: { message: 'the model is too busy' } }, 'requestRefused', false],
  ])('%j with %j is %s, again: %s', (status, body, trouble, again) => {
    const fault = faultOf(status, body)
    expect([fault.details.trouble, fault.again]).toEqual([trouble, again])
  })

  it('what comes in the middle of an answer is about the answer, so it may pass', () => {
    const fault = faultOf(null, { error: { code: 400, message: 'bad request upstream' } }, {}, true)
    expect([fault.again, fault.message]).toEqual([true, 'the server stopped in the middle (400): bad request upstream'])
    expect(faultOf(null, { error: { code: 401, message: 'expired' } }, {}, true).again).toBe(false)
  })
})

describe('[R412] the wait that a server asks for', () => {
  const bare = errorIn({})
  it.each<[Record<string, string>, number | null]>([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': ' 1.5 ' }, 1_500],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:09 GMT' }, 9_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '1', 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': '2', 'x-ratelimit-reset': '50' }, 2_000],
    [{ 'x-ratelimit-reset': '50' }, 50_000],
    [{ 'x-ratelimit-reset': String(NOW / 1_000 + 12) }, 12_000],
    [{ 'x-ratelimit-reset': String(NOW + 12_500) }, 12_500],
    [{ 'x-ratelimit-reset': String(NOW - 12_500) }, null],
    [{ 'x-ratelimit-reset-requests': '2m59.56s', 'x-ratelimit-reset-tokens': '7.66s' }, 7_660],
    [
      {
        'x-ratelimit-reset-requests': '2m0s',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-tokens': '7.66s',
        'x-ratelimit-remaining-tokens': '500',
      },
      120_000,
    ],
    [
      { 'anthropic-ratelimit-tokens-reset': '2026-11-21T10:00:30Z', 'anthropic-ratelimit-tokens-remaining': '0' },
      30_000,
    ],
    [{ 'ratelimit-reset': '350ms' }, 350],
    [{}, null],
  ])('in the headers %j is %j ms', (headers, ms) => {
    expect(waitAsked(headers, bare, NOW)).toBe(ms)
  })

  it.each<[unknown, number | null]>([
    [{ error: { details: [{ '@type': 'RetryInfo', retryDelay: '37s' }] } }, 37_000],
    [{ error: 'loading', estimated_time: 20.5 }, 20_500],
    [{ error: { message: 'x', retry_after: 3 } }, 3_000],
    [{ error: { message: 'x', metadata: { headers: { 'X-RateLimit-Reset': String(NOW + 4_000) } } } }, 4_000],
    [{ error: { message: 'Rate limit reached. Please try again in 7.66s. Visit us' } }, 7_660],
    [{ error: { message: 'Please try again in 1m2s.' } }, 62_000],
    [{ error: { message: 'Please try again in 350ms' } }, 350],
    [{ message: 'Please retry after 20 seconds.' }, 20_000],
    [{ message: 'Try again in 8 seconds.' }, 8_000],
    [{ message: 'try again in a while' }, null],
  ])('in the body %j is %j ms', (body, ms) => {
    expect(waitAsked({}, errorIn(body), NOW)).toBe(ms)
  })

  it('is read as seconds or as a date', () => {
    const texts = ['1.5', ' 2 ', 'Sat, 21 Nov 2026 10:01:00 GMT', 'never', '', undefined]
    expect(texts.map((text) => retryAfterMs(text, NOW))).toEqual([1_500, 2_000, 60_000, null, null, null])
  })
})

describe('[R414] what a server says that it cannot', () => {
  const refused = (message: string, more = {}) => refusedIn(errorIn({ error: { message, ...more } }))

  it.each([
    ['unknown field stream_options', 'streamOptions'],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'maxTokens',
    ],
    [
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      'temperature',
    ],
    ['`temperature` is deprecated for this model.', 'temperature'],
    ["Unsupported parameter: 'reasoning_effort' is not supported with this model.", 'reasoningEffort'],
    ['"gemma" does not support thinking', 'reasoningEffort'],
    ['adaptive thinking is not supported on this model', 'reasoningEffort'],
    ['Thinking level is not supported for this model.', 'reasoningEffort'],
    ['`temperature` may only be set to 1 when thinking is enabled.', 'temperature'],
    ['Thinking may not be enabled when tool_choice forces tool use.', 'toolChoice'],
    ["Invalid value: 'required'. tool_choice must be one of auto, none.", 'toolChoice'],
    ['registry.ollama.ai/library/gemma does not support tools', 'functions'],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 'functions'],
    ['Function calling is not enabled for models/gemma-3', 'functions'],
    ["Unsupported parameter: 'tools' is not supported with this model.", 'functions'],
    ['System role not supported', 'systemRole'],
    ["Unsupported value: 'messages[0].role' does not support 'system' with this model.", 'systemRole'],
    ['Conversation roles must alternate user/assistant/user/assistant/...', 'systemRole'],
    ['Developer instruction is not enabled for models/gemma-3-27b-it', 'systemRole'],
  ])('is left out when it says: %s', (sentence, what) => {
    expect(refused(sentence)?.what).toBe(what)
  })

  it.each(['too long', 'temperature must be between 0 and 1', 'messages: field required', 'the model is too busy'])(
    'is nothing that can be left out: %s',
    (sentence) => {
      expect(refused(sentence)).toBeNull()
    },
  )

  it.each<[string, number | null, number | null, number | null]>([
    [
      "This model's maximum context length is 4096 tokens. However, you requested 4217 tokens (3217 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      4096,
      3217,
      1000,
    ],
    [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. Please reduce the length of the messages.",
      8192,
      8227,
      null,
    ],
    [
      "This endpoint's maximum context length is 8192 tokens. However, you requested about 10000 tokens (9000 of text input, 1000 in the output).",
      8192,
      9000,
      1000,
    ],
    [
      'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens`',
      200000,
      178959,
      64000,
    ],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200000, 210000, null],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1048576, 1200000, null],
    ['request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it', 4096, 5000, null],
    [
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      32768,
      40000,
      null,
    ],
    ["The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096, 5000, null],
    [
      "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4500 tokens from the input messages and 500 tokens for the completion.",
      4096,
      4500,
      500,
    ],
    ["This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131072, 140000, null],
    [
      '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 1000 `max_new_tokens`',
      4096,
      4000,
      1000,
    ],
    ['`inputs` must have less than 4095 tokens. Given: 5000', 4095, 5000, null],
    [
      "You passed 4097 input tokens and requested 0 output tokens. However, the model's context length is only 4096 tokens",
      4096,
      4097,
      0,
    ],
    ['The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 4096, 5000, null],
    ['Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000', 6000, 7000, null],
    ['Range of input length should be [1, 30720]', 30720, null, null],
    ['Invalid request: Your request exceeded model token limit: 8192', 8192, null, null],
    ['too many tokens: total number of tokens in the prompt cannot exceed 4,081 - received 4,292', 4081, 4292, null],
    ['Context size has been exceeded', null, null, null],
    ['the input length exceeds the context length', null, null, null],
    ['Input is too long for requested model.', null, null, null],
    ['Prompt 超长', null, null, null],
  ])('a prompt that is too long, with its numbers: %s', (sentence, limit, prompt, answer) => {
    expect(refused(sentence)).toEqual({ what: 'promptLength', limit, prompt, answer: answer || null })
  })

  it('the numbers may stand in fields', () => {
    const found = refused('the request exceeds the available context size', { n_ctx: 4096, n_prompt_tokens: 5000 })
    expect(found).toEqual({ what: 'promptLength', limit: 4096, prompt: 5000, answer: null })
  })

  it.each<[string, number | null]>([
    [
      'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
      16384,
    ],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8192],
    ['Range of max_tokens should be [1, 8192]', 8192],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens and your request has 100 input tokens (8192 > 4096 - 100).",
      null,
    ],
  ])('an answer that may not be so long: %s', (sentence, most) => {
    expect(refused(sentence)).toEqual({ what: 'answerLength', most })
  })
})
