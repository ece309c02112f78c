/** Which passwords are refused because they are tried first. */
import { describe, expect, it } from 'vitest'
import { weaknessOf } from './passwords'

const OWN = ['ben', 'Benjamin Okafor', 'Harvest Team']

describe('[R354] a password', () => {
  it.each([
    'password1234',
    'PASSWORD1234',
    'Ｐassword1234',
    'passwordpassword',
    'p@ssw0rd2026',
    'qwertyuiop12',
    'qwertyuiopas',
    'letmeinletmein',
    'iloveyou1234',
    'Welcome-2026!',
    '123456789012',
    '098765432109',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'abcdefghijkl',
    '1q2w3e4r5t6y',
    'dragonmonkey',
    '!!!!!!!!!!!!',
    'Harvest Team 2026',
    'benjamin okafor',
  ])('%s is among the first that are tried', async (password) => expect(await weaknessOf(password, OWN)).toBe('common'))

  it.each([
    'correct horse',
    'rain lamp copper 7',
    '马 桥 铜 雨 灯 九 山 河 田 月 风 云',
    'xk2-Vq9-mmT4',
    '8392017465019283',
  ])('%s may be one', async (password) => expect(await weaknessOf(password, OWN)).toBeNull())

  it('has at least 12 characters, counted as people count them, and at most 1,024', async () => {
    expect(await weaknessOf('xk2-Vq9-mmT')).toBe('short')
    expect(await weaknessOf('雨灯铜马桥山河田月风云')).toBe('short')
    // Six signs of two units each.
    expect(await weaknessOf('🐎🌉🔔🌧💡⛰')).toBe('short')
    expect(await weaknessOf(`xk2-Vq9-mmT4${'ab3'.repeat(400)}`)).toBe('long')
  })
})
