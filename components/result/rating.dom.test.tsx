/** Rating a result: a press counts at once, a sentence by its own button. */
import { describe, expect, it } from 'vitest'
import { openPage, saying, screen, waitFor } from '@/test/dom'
import { ANA, BEN, NOW } from '@/test/gallery/fixtures/people'
import { RatingBar } from './RatingBar'

const given = (agent: string, name: string, sentence = '') => ({
  agent,
  name,
  rating: 'up' as const,
  sentence,
  at: NOW,
})
const PATH = '/api/tasks/t1/rate'

describe('[R483] a result', () => {
  it('is rated by a press, once', async () => {
    const { user, server, rerender } = await openPage(<RatingBar task="t1" ratings={[]} mayRate />)
    expect(screen.queryByRole('textbox')).toBeNull()
    const [good] = screen.getAllByRole('button')
    await user.click(good as HTMLElement)
    await waitFor(() =>
      expect(server.called('POST', PATH)).toEqual([expect.objectContaining({ rating: 'up', sentence: '' })]),
    )
    rerender(<RatingBar task="t1" ratings={[given(ANA.id, 'Ana')]} mayRate />)
    const [again] = screen.getAllByRole('button')
    expect(again?.getAttribute('aria-pressed')).toBe('true')
    await user.click(again as HTMLElement)
    expect(server.called('POST', PATH)).toHaveLength(1)
  })

  it('gets a sentence by its own button', async () => {
    const { user, server } = await openPage(<RatingBar task="t1" ratings={[given(ANA.id, 'Ana', 'Clear.')]} mayRate />)
    const save = screen.getAllByRole('button').at(-1) as HTMLElement
    expect(save.getAttribute('aria-disabled')).toBe('true')
    await user.type(screen.getByRole('textbox'), ' And short.')
    await user.click(save)
    await waitFor(() =>
      expect(server.called('POST', PATH)).toEqual([
        expect.objectContaining({ rating: 'up', sentence: 'Clear. And short.' }),
      ]),
    )
  })

  it('says what others think of it; who may not rate it has no button', async () => {
    await openPage(<RatingBar task="t1" ratings={[given(BEN.id, 'Ben', 'Too long.')]} mayRate={false} />)
    expect(screen.getByText(saying(/Ben.*Too long\./))).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })
})
