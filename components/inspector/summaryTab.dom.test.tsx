/** The summary of a step in the inspector. */
import { expect, it } from 'vitest'
import type { StepRecord } from '@/lib/mas/records'
import { openPage, screen } from '@/test/dom'
import { makeStep } from '@/test/skillWorld'
import { SummaryTab } from './SummaryTab'

const failed = (more: Partial<StepRecord>): StepRecord =>
  makeStep(1, { state: 'failed', reason: 'no answer could be taken', ...more })

it('[R801] equal repairs are one line with how often they came, in the order in which they came first', async () => {
  const step = failed({ repairs: ['no plan', 'no summary', 'no plan', 'no plan'] })
  await openPage(<SummaryTab step={step} agentName="Reader" row={null} />)
  const lines = (await screen.findAllByRole('listitem')).map((one) => one.textContent)
  expect(lines).toEqual(['Returned to the model: no plan×3', 'Returned to the model: no summary'])
})

it('[R801] a failed step says its cause, and one without a known cause only its reason', async () => {
  const page = await openPage(<SummaryTab step={failed({ failureCause: 'file' })} agentName="Reader" row={null} />)
  expect(await screen.findByRole('link', { name: 'Open files' })).toBeTruthy()
  page.unmount()
  await openPage(<SummaryTab step={failed({})} agentName="Reader" row={null} />)
  expect(await screen.findByText('no answer could be taken')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Open files' })).toBeNull()
})
