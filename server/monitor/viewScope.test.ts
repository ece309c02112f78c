import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import { emptyWorld } from '@/lib/mas/records'
import { scopeOf, scopeText, seesTask, type ViewScope } from './viewScope'

describe('a view scope', () => {
  const [one, other] = [asId<TaskId>('one'), asId<TaskId>('other')]
  const person = asId<AgentId>('ana')

  it.each<ViewScope>([
    { see: 'all' },
    { see: 'person', person },
    { see: 'tasks', tasks: [] },
    { see: 'tasks', tasks: [one] },
    { see: 'tasks', tasks: [one, other] },
  ])('%j is read back as it was written', (scope) => {
    expect(scopeOf(scopeText(scope))).toEqual(scope)
  })

  it.each(['', 'all:', 'everything', '|', 'ALL', 'operator:ana'])('"%s" is not a scope, and sees no task', (text) => {
    expect(scopeOf(text)).toEqual({ see: 'tasks', tasks: [] })
  })

  it('a scope sees all tasks, those of its list, or none', () => {
    const sees = (scope: ViewScope) => [one, other].map(seesTask(scope, emptyWorld))
    expect(sees({ see: 'all' })).toEqual([true, true])
    expect(sees({ see: 'tasks', tasks: [one] })).toEqual([true, false])
    expect(sees({ see: 'person', person })).toEqual([false, false])
  })
})
