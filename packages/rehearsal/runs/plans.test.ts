/** A request whose plan is to be reviewed: sent back once, then approved; the work is done as planned the second time. */
import { expect, it } from 'vitest'
import type { CommandOf } from '@/lib/mas/commands/command'
import { PLAIN_QUESTION } from '@/lib/mas/messages/commands/personSends'
import type { RequestRecord } from '@/lib/mas/records'
import { BASE, CREW, openRehearsal } from '@/test/rehearsalTeam'

const isPlan = ({ kind }: RequestRecord): boolean => kind === 'plan'

it('[R832] plans again with the comment of who sent its plan back, and works when the plan is approved', async () => {
  const team = await openRehearsal({ 'notes/a.md': '# One\ntext\n', 'notes/b.md': '# Two\ntext\n' })
  try {
    const wish: CommandOf<'sendMessage'> = {
      ...PLAIN_QUESTION,
      ...{ task: BASE, sender: CREW.ana.id, receivers: [CREW.manager.id], attachments: [] },
      text: 'Count the lines in notes',
      reviewPlans: true,
    }
    await team.put(wish)
    const first = await team.request(isPlan, 'a plan')
    expect(Object.values(team.world().tasks).filter(({ base }) => !base)).toEqual([])
    await team.answer(first, 'refuse', 'Say which file is longer.')
    const second = await team.request((one) => isPlan(one) && one.id !== first.id, 'another plan')
    const goals = (second.plan?.stages ?? []).flatMap(({ allocation }) => Object.values(allocation))
    expect(goals.length).toBeGreaterThan(0)
    for (const goal of goals) expect(goal).toContain('Ana: “Say which file is longer.”')
    await team.answer(second, 'approve')
    const task = await team.finished()
    expect([task.state, task.reviewPlans]).toEqual(['finished', true])
  } finally {
    await team.close()
  }
})
