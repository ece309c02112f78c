import { expect, it } from 'vitest'
import { initialsOf } from './initials'

it('initials are the pinyin letters of a Chinese name, and empty for other names', () => {
  const names = {
    安娜: 'an',
    分析员: 'fxy',
    赵六: 'zl',
    王五: 'ww',
    李四: 'ls',
    马超: 'mc',
    欧阳: 'oy',
    许仙: 'xx',
    陈晓B: 'cxb',
  }
  expect(Object.keys(names).map(initialsOf)).toEqual(Object.values(names))
  expect(initialsOf('Ana')).toBe('')
})
