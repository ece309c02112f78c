/** Why a step failed: the sentence and the one act, by cause and by who reads it. */
import { describe, expect, it } from 'vitest'
import { FAILURE_CAUSES } from '@/lib/mas/steps/failureCause'
import { openPage, screen } from '@/test/dom'
import { ME } from '@/test/gallery/fixtures/people'
import { type Failure, FailureHelp } from './FailureHelp'

const failure: Failure = { cause: 'format', agent: 'scribe', model: 'tiny-7b', server: 'files' }
const OPERATOR = { ...ME, person: { ...ME.person, access: 'operator' as const } }
const MEMBER = { ...ME, person: { ...ME.person, access: 'participant' as const } }
const linkIn = () => screen.queryByRole('link')

describe('the help for a failure', () => {
  it.each([
    ['format', 'Choose another model', '/agents/scribe'],
    ['key', 'Open models', '/settings/models'],
    ['limit', 'Open models', '/settings/models'],
    ['model', 'Open models', '/settings/models'],
    ['tool', 'Open tools', '/tools'],
    ['file', 'Open files', '/files'],
  ] as const)('[R801] leads an operator to where %s is mended', async (cause, name, href) => {
    await openPage(<FailureHelp failure={{ ...failure, cause }} />, { me: OPERATOR })
    expect([linkIn()?.textContent, linkIn()?.getAttribute('href')]).toEqual([name, href])
  })

  it('[R801] has no act where a person said no, and tells others to ask an operator for models', async () => {
    const page = await openPage(<FailureHelp failure={{ ...failure, cause: 'person' }} />, { me: OPERATOR })
    expect(linkIn()).toBeNull()
    page.unmount()
    await openPage(<FailureHelp failure={failure} />, { me: MEMBER })
    expect([linkIn(), screen.getByText(/Ask an operator\./) !== null]).toEqual([null, true])
  })

  it.each(FAILURE_CAUSES)('[R801] has a sentence in words for %s', async (cause) => {
    await openPage(<FailureHelp failure={{ ...failure, cause, model: null, server: null }} />, { me: MEMBER })
    expect(document.querySelector('[data-cause]')?.textContent).not.toMatch(/failure\.|null/)
  })
})
