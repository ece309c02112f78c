/** How the caller is reached outside the page: channels, browsers, tests; alerts that a page has shown. */
import { Fault } from '@/lib/faults'
import * as schemas from '@/lib/wire/http'
import { assertWithin, LIMITS, openRateLimit } from '@/server/shared/limits'
import type { NotifyPort } from '../../ports'
import type { Routes } from '../../route'

export function addChannelRoutes({ add, addCommand, gateway }: Routes): void {
  const tests = openRateLimit(LIMITS.channelTests, gateway.now)
  const notify = (): NotifyPort => {
    if (!gateway.notify) throw new Fault('NOT_FOUND', { what: 'channels', id: 'here' })
    return gateway.notify
  }

  add('GET /api/me/channels', {
    scope: 'read',
    summary: 'How the caller is reached outside the page, and whether each channel is ready.',
    answers: schemas.myChannels,
    async handle({ person }) {
      return notify().channelsOf(person.id)
    },
  })

  add('POST /api/me/browsers', {
    scope: null,
    summary: 'Subscribe this browser to pushes. A new subscription of the same browser replaces the old one.',
    body: schemas.pushSubscription,
    answers: schemas.madeAnswer,
    async handle({ person, body }) {
      return notify().subscribe(person.id, body)
    },
  })

  add('DELETE /api/me/browsers/{id}', {
    scope: null,
    summary: 'Unsubscribe a browser from pushes.',
    answers: schemas.madeAnswer,
    async handle({ person, params }) {
      await notify().unsubscribe(person.id, params.id)
      return { id: params.id }
    },
  })

  add('POST /api/me/channels/test', {
    scope: null,
    summary: 'Send the caller a test by one channel. The answer says whether it worked.',
    body: schemas.postChannelTest,
    answers: schemas.triedAnswer,
    async handle({ person, body }) {
      await assertWithin(tests, person.id)
      return notify().test(person.id, body.channel, body.browser ?? null)
    },
  })

  addCommand({
    path: '/api/me/told',
    scope: 'answer',
    summary: 'Record that a page alerted the caller to these items. Senders see it beside the deliveries.',
    body: schemas.postTold,
    command: ({ body }) => ({ ...body, type: 'noteTold' }),
  })
}
