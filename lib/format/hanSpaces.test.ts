import { describe, expect, it } from 'vitest'
import { closeHanSpaces, inHan, markValues } from './hanSpaces'

const said = (who: string, to: string): string => {
  const d = markValues({ who, to, count: 2 })
  return closeHanSpaces(`${d.who} 移交给 ${d.to} ${d.count} 项`)
}

describe('spaces around names in Chinese', () => {
  it('a space stands between Han and Latin only', () => {
    expect(said('Ana', 'Ben')).toBe('Ana 移交给 Ben 2 项')
    expect(said('陈本', 'Ana')).toBe('陈本移交给 Ana 2 项')
    expect(said('Ana', '王小丽')).toBe('Ana 移交给王小丽 2 项')
  })

  it('spaces inside a name stay', () => {
    expect(said('北方 仓库', '东 西')).toBe('北方 仓库移交给东 西 2 项')
  })

  it('the space between two Han names is removed too', () => {
    const { who, to } = markValues({ who: '陈本', to: '经理' })
    expect(closeHanSpaces(`${who} ${to}`)).toBe('陈本经理')
  })

  it('the template tag removes spaces by the same rule', () => {
    const say = (who: string): string => inHan`交接给 ${who}。`
    expect(say('测试员')).toBe('交接给测试员。')
    expect(say('Ben')).toBe('交接给 Ben。')
  })
})
