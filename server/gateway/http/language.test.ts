/** Refusals in the reader's language. */
import { describe, expect, it } from 'vitest'
import { Fault } from '@/lib/faults'
import { openDouble } from '../test/gatewayDouble'
import { refusalAnswerOf } from './refusals'

describe('a refusal', () => {
  it('a refusal is in the language of its reader, with the same code', () => {
    const fault = new Fault('NOT_A_MEMBER', { name: 'Lee', task: 'Prices' })
    expect(refusalAnswerOf(fault, 'en').body).toMatchObject({
      error: 'NOT_A_MEMBER',
      message: "Lee isn't in the task Prices.",
    })
    expect(refusalAnswerOf(fault, 'zh').body).toMatchObject({
      error: 'NOT_A_MEMBER',
      message: 'Lee 不在任务 Prices 里。',
    })
  })

  it('[R300] a refusal is in the language that the page shows: the chosen one, else the browser’s first', async () => {
    const { call } = await openDouble()
    const saidTo = async (headers: Record<string, string>): Promise<unknown> =>
      (await call('GET', '/api/me', { headers })).json.message
    const [english, chinese] = [await saidTo({}), await saidTo({ cookie: 'convene_language=zh' })]
    expect(chinese).not.toBe(english)
    const ofBrowsers = ['zh-CN,zh;q=0.9,en;q=0.8', 'fr-FR,zh-Hans;q=0.5', 'en-US,zh;q=0.9', '*', '']
    expect(await Promise.all(ofBrowsers.map((accepted) => saidTo({ 'accept-language': accepted })))).toEqual([
      chinese,
      chinese,
      english,
      english,
      english,
    ])
    expect(await saidTo({ cookie: 'convene_language=en', 'accept-language': 'zh-CN' })).toBe(english)
  })
})
