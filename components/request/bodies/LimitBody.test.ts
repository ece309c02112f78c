import { expect, it } from 'vitest'
import { amountIn } from './LimitBody'

it('[R239] what more is allowed may have a decimal comma; a comma between thousands is asked about, and never allows less', () => {
  expect([amountIn('20000'), amountIn(' 1,5 '), amountIn('0.25')]).toEqual([20_000, 1.5, 0.25])
  expect([amountIn('20,000'), amountIn('1,000'), amountIn('0'), amountIn('-1'), amountIn(''), amountIn('all')]).toEqual(
    Array(6).fill(null),
  )
})
