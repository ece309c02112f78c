import { describe, expect, it } from 'vitest'
import type { TaskId } from '@/lib/mas/ids'
import { nextFirst } from './openRows'
import { messageRow, requestRow as request } from './test/openRows'

const message = (id: string, text: string) => messageRow(id, { text })
const LONG = 'a'.repeat(101)
const WALL = 'a'.repeat(501)
const NONE = { request: null, message: null }

describe('rows that open by themselves', () => {
  it('[R138] the first request and the first message of more than a line and less than 500 letters are open, and no other', () => {
    const rows = [
      request('a'),
      request('b'),
      message('c', 'a'.repeat(100)),
      message('w', WALL),
      message('d', LONG),
      message('e', LONG),
    ]
    expect(nextFirst(rows, NONE, {})).toEqual({ request: 'a', message: 'd' })
  })

  it('[R515] a result opens when its reader opens it', () => {
    const result = { ...message('r', LONG), ended: 'task-9' as TaskId }
    expect(nextFirst([result, message('d', LONG)], NONE, {}).message).toBe('d')
  })

  it('[R138] a row that comes above an open one leaves that open and stays a line', () => {
    expect(nextFirst([request('new'), request('a')], { request: 'a', message: null }, {}).request).toBe('a')
  })

  it('[R138] when the open request leaves, the next one opens, unless the reader opened another or closed that one', () => {
    const rows = [request('b'), request('c')]
    const before = { request: 'a', message: null }
    expect(nextFirst(rows, before, {}).request).toBe('b')
    expect(nextFirst(rows, before, { c: true }).request).toBeNull()
    expect(nextFirst(rows, before, { b: false }).request).toBe('c')
  })
})
