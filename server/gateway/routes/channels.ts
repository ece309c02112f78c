/**
 * How I am reached outside the page: my channels, the browsers that take pushes, a test of each; what my page told me.
 */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import { asId, type RequestId } from '@/lib/mas/ids'
import type { CommandAnswer, MyChannels, TriedAnswer } from '@/lib/wire'
import { assertWithin, LIMITS, openRateLimit } from '../../shared/limits'
import { commitAs } from '../commands'
import type { NotifyPort } from '../ports'
import { addRoute, type Env, type GatewayContext } from '../route'
import * as shapes from '../schemas'

export function addChannelRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const tests = openRateLimit(LIMITS.channelTests, gateway.now)
  const queue = (): NotifyPort => {
    if (!gateway.notify) throw new Fault('NOT_FOUND', { what: 'channels', id: 'here' })
    return gateway.notify
  }

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/me/channels',
    access: 'person',
    says: 'How I am reached outside the page, and whether it can work.',
    answers: shapes.myChannels,
    async handle({ caller }): Promise<MyChannels> {
      return queue().channelsOf(caller.person.id)
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/me/browsers',
    access: 'person',
    says: 'This browser takes pushes from now on. The same one again takes the place of its old row.',
    body: shapes.pushSubscription,
    answers: shapes.made,
    async handle({ caller, body }): Promise<{ id: string }> {
      return queue().subscribe(caller.person.id, body)
    },
  })

  addRoute(app, gateway, {
    method: 'delete',
    path: '/api/me/browsers/{id}',
    access: 'person',
    says: 'That browser takes no pushes any more.',
    params: shapes.idParams,
    answers: shapes.made,
    async handle({ caller, params }): Promise<{ id: string }> {
      await queue().unsubscribe(caller.person.id, params.id)
      return { id: params.id }
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/me/channels/test',
    access: 'person',
    says: 'Send me a test by one channel, and say what came of it.',
    body: shapes.postChannelTest,
    answers: shapes.triedAnswer,
    async handle({ caller, body }): Promise<TriedAnswer> {
      await assertWithin(tests, caller.person.id)
      return queue().test(caller.person.id, body.channel, body.browser ?? null)
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/me/told',
    access: 'person',
    says: 'My leading page told me of these by a sound or by the desktop: a line beside their receipts.',
    body: shapes.postTold,
    answers: shapes.commandAnswer,
    async handle({ caller, body }): Promise<CommandAnswer> {
      const items = body.items.map((id) => asId<RequestId>(id))
      return commitAs(gateway.engine, caller.person.id, body, { type: 'noteTold', items, channel: body.channel })
    },
  })
}
