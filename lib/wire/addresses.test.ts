import { describe, expect, it } from 'vitest'
import { matchPath, pathTo } from './addresses'

describe('addresses', () => {
  it('an address names the screen and its parameters', () => {
    expect(matchPath('/tasks/t1/steps/s7')).toEqual({ screen: 'step', params: { taskId: 't1', stepId: 's7' } })
    expect(matchPath('/inbox/')).toEqual({ screen: 'inbox', params: {} })
    expect(matchPath('/settings/display')).toEqual({ screen: 'settings', params: { page: 'display' } })
  })

  it('an address without a screen is null', () => {
    expect(matchPath('/tasks/t1/steps')).toBeNull()
    expect(matchPath('/nowhere')).toBeNull()
  })

  it('parameters survive a round trip, whatever characters they contain', () => {
    const taskId = 'a/b c%41'
    expect(matchPath(pathTo('task', { taskId }))).toEqual({ screen: 'task', params: { taskId } })
    expect(pathTo('settings')).toBe('/settings')
    expect(pathTo('settings', { page: 'system' })).toBe('/settings/system')
  })

  it('the path of a file is the rest of its address, with its folders', () => {
    const path = 'prices/a b%/报告.md'
    expect(pathTo('file', { path })).toBe('/files/prices/a%20b%25/%E6%8A%A5%E5%91%8A.md')
    expect(matchPath(pathTo('file', { path }))).toEqual({ screen: 'file', params: { path } })
    expect(matchPath('/files')).toEqual({ screen: 'files', params: {} })
  })

  it('a broken escape in an address stays as it is', () => {
    expect(matchPath('/requests/%E0%A4')).toEqual({ screen: 'request', params: { requestId: '%E0%A4' } })
  })
})
