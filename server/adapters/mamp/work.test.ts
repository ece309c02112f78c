/** Work that an agent of another system asks for over MAMP: from its message to the report, with true skills and files. */
import { expect, it, vi } from 'vitest'
import type { MampMessage, MampPart } from '@/lib/protocols/mamp'
import { KEY, mampMessage, PEER, URI } from '@/test/adapterSystem'
import { LISTS, openOutsideWork, WISH } from '@/test/outsideWork'
import { must } from '@/test/stories'
import { listener } from './testing'

const MANAGER = 'agent://ours.example/manager'
const textOf = ({ content }: MampMessage): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
const filesOf = ({ content }: MampMessage): Extract<MampPart, { type: 'file' }>[] =>
  typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'file' ? part : []))

/** From the request to the end, with two hard stops. */
async function story(content: MampMessage['content'], report: string): Promise<void> {
  const other = await listener()
  const team = await openOutsideWork(
    { baseUrl: other.url },
    { secrets: [{ id: PEER.id, key: KEY, sendKey: 'our-key', signingKey: null }] },
  )
  const heard = (): MampMessage[] => [
    ...new Map(other.got.map(({ message }) => [message.message_id, message])).values(),
  ]
  const told = (fits: (message: MampMessage) => boolean): Promise<MampMessage> =>
    vi.waitFor(
      () => must(heard().find(fits), `message; heard ${JSON.stringify(heard(), null, 1)}\n${team.story()}`),
      15_000,
    )
  const status = ({ metadata }: MampMessage): unknown => metadata.task_status

  const { status: http, json } = await team.system().post(mampMessage({ to: MANAGER, content }))
  expect(http).toBe(200)
  await team.restart()
  const asked = await told((message) => status(message) === 'input_required')
  expect(textOf(asked)).toContain('apple: 3.20')
  expect(asked).toMatchObject({
    conversation_id: json.conversation_id,
    from: MANAGER,
    to: URI,
    metadata: { need_reply: true, in_reply_to: 'msg-1' },
  })

  const answer = mampMessage({
    message_id: 'msg-2',
    to: MANAGER,
    conversation_id: String(json.conversation_id),
    content: '3.50',
  })
  expect((await team.system().post(answer)).status).toBe(200)
  await team.restart()
  await team.confirmWrites()

  const end = await told((message) => status(message) === 'finished')
  const [file] = filesOf(end)
  expect(file?.name).toBe(report)
  const source = must(file, 'report').source
  const written = source.type === 'base64' ? Buffer.from(source.data, 'base64').toString() : ''
  expect(written).toContain('3.50')
  expect(textOf(end)).toContain('is finished')
  expect(end.metadata.in_reply_to).toBe('msg-1')
  expect(heard().map(status)).toContain('working')
  // The agent outside is in no task but its conversation.
  const world = team.system().world()
  const work = must(team.work(), 'work')
  expect(work.group).not.toContain(work.requestedBy)
  const its = Object.values(world.tasks).filter(
    (task) => task.requestedBy !== null && task.group.includes(task.requestedBy),
  )
  expect(its).toEqual([])
}

it('[R147] [R148] whoever asks for a comparison hears of it, is asked which price holds, and gets the report, over two hard stops', () =>
  story(WISH, 'report.md'))

it('[R147] [R148] the lists may come with the request: the team works on them', () =>
  story(
    [
      { type: 'text', text: 'Compare these lists and write a report' },
      ...Object.entries(LISTS).map(([path, text]) => ({
        type: 'file' as const,
        name: path.slice(path.lastIndexOf('/') + 1),
        mime_type: 'text/csv',
        source: { type: 'base64' as const, media_type: 'text/csv', data: Buffer.from(text).toString('base64') },
      })),
    ],
    'report.md',
  ))
