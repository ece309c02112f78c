import { Search } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import { matchingCommands, type PaletteCommand } from './commands'

const line = (id: string, group: PaletteCommand['group'], label: string, words = ''): PaletteCommand => ({
  id,
  group,
  label,
  words,
  icon: Search,
  run: () => undefined,
})
const all = [
  line('dark', 'settings', 'Dark theme', 'theme colour'),
  line('zh', 'settings', '中文', 'language chinese'),
  line('inbox', 'go', 'Inbox'),
  line('r1', 'needs', 'Request from Coder: which price'),
  line('hit', 'found', 'the price of a bolt is 1.30'),
]
const ids = (query: string): string[] =>
  matchingCommands(all, query).flatMap(({ commands }) => commands.map(({ id }) => id))

describe('the command palette', () => {
  it('the palette has open items first and settings last', () => {
    expect(ids('')).toEqual(['r1', 'inbox', 'hit', 'dark', 'zh'])
  })

  it('a command is found by any of its words, also by hidden ones', () => {
    expect(ids('language')).toEqual(['hit', 'zh'])
    expect(ids('theme dark')).toEqual(['hit', 'dark'])
    expect(ids('中')).toEqual(['hit', 'zh'])
  })

  it('the palette keeps what the server found and drops what does not match', () => {
    expect(ids('zebra')).toEqual(['hit'])
  })

  it('labels that begin with the query come first, and a group has a limit', () => {
    const many = Array.from({ length: 20 }, (_, n) => line(`t${n}`, 'go', `Task about bread ${n}`))
    const [group] = matchingCommands([...many, line('b', 'go', 'Bread')], 'bread')
    expect(group?.commands[0]?.id).toBe('b')
    expect(group?.commands).toHaveLength(8)
  })

  it('[R437] what is in the palette already and is found by the server too is there once', () => {
    const task = { id: 't1', group: 'go', label: 'Launch the menu', icon: Search, href: '/tasks/1' } as const
    const hit = { ...task, id: 'task:1', group: 'found' } as const
    const other = { ...hit, id: 'task:2', href: '/tasks/2' } as const
    const shown = (query: string) =>
      matchingCommands([task, hit, other], query).flatMap(({ commands }) => commands.map(({ id }) => id))
    expect(shown('launch')).toEqual(['t1', 'task:2'])
    // The server matched more than the label.
    expect(shown('autumn')).toEqual(['task:1', 'task:2'])
  })
})
