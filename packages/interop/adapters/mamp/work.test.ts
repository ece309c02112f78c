/** Work that an agent of another system asks for over MAMP: from its message to the report, with true skills and files. */
import { it } from 'vitest'
import { KEY, PEER, URI } from '../../test/adapterSystem'
import { listener } from '../../test/adapters/mamp'
import { openInProcess } from '../../test/outside/inProcess'
import { interrupt } from '../../test/outside/interrupt'
import { mampRequester } from '../../test/outside/mamp'
import { play, restartTwice } from '../../test/outside/play'

async function open(folder: string, sendsLists: boolean) {
  const other = await listener()
  const place = await openInProcess(
    { baseUrl: other.url },
    { secrets: [{ id: PEER.id, key: KEY, sendKey: 'our-key', signingKey: null }] },
  )
  return { place, requester: mampRequester(place, { key: KEY, uri: URI, listener: other, folder, sendsLists }) }
}

async function story(folder: string, sendsLists: boolean): Promise<void> {
  const { place, requester } = await open(folder, sendsLists)
  await play(place, [requester], restartTwice(place))
}

it('[R147] [R148] the asker of a comparison is told of it, is asked which price is correct, and gets the report, over two restarts', () =>
  story('prices', false))

it('[R147] [R148] the lists may come with the request: the team works on them', () => story('unread', true))

it('[R147] a requester hears that its work was paused, resumed, stopped at a limit and ended as failed, without the reasons', async () => {
  const { place, requester } = await open('prices', false)
  await interrupt(place, requester)
})
