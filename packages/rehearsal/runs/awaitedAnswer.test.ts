/** The whole way of an answer that asks for a reply: from the message of a person to the prompts and the result of the work. */
import { expect, it } from 'vitest'
import { bodyText } from '@/server/shared/bodyText'
import { readStoredPrompt } from '@/server/skills'
import { BASE, CREW, openRehearsal } from '@/test/rehearsalTeam'
import { checkPart, judgesQuestion, question, sample } from './test/play'

it('[R332] an answer in the chat with need_reply reaches the work: every later prompt of that agent and the report hold it', async () => {
  const team = await openRehearsal(sample())
  try {
    await team.ask('Compare the price lists in prices and write a report.')
    const asked = await question(team)
    expect(asked.asker).toBe(CREW.reader.id)
    expect(asked.task).not.toBe(BASE)
    await team.put({
      type: 'sendMessage',
      task: asked.task,
      sender: CREW.ana.id,
      receivers: [CREW.reader.id],
      text: '3.20',
      stage: null,
      kind: 'action',
      answers: 'oldest',
      replyTo: null,
      attachments: [],
      mention: false,
    })
    await team.answer(await judgesQuestion(team), 'answer', 'leave it out')
    await team.answer(await team.request((one) => one.kind === 'confirm', 'the report is to be confirmed'), 'approve')
    await team.answer(await checkPart(team), 'done', 'Good.')
    const task = await team.finished()
    // 3.20 more than without the price that Ana gave.
    expect(task.summary).toContain('66.20')

    const answer = team.messages().find(({ text, sender }) => text === '3.20' && sender === CREW.ana.id)
    const steps = team.steps()
    const later = steps.filter(
      (step) =>
        step.agent === CREW.reader.id && step.task === asked.task && (step.startedSeq ?? 0) > (answer?.seq ?? 0),
    )
    const text = async (ref: Parameters<typeof bodyText>[1]) => (await bodyText(team.store.bodies, ref)) ?? ''
    const held = await Promise.all(
      later.flatMap((step) =>
        step.calls.map(async ({ prompt }) => {
          const sections = await readStoredPrompt(prompt, text)
          return { step: step.executor, holds: sections.some(({ messages }) => answer && messages.includes(answer.id)) }
        }),
      ),
    )
    expect(held.length).toBeGreaterThan(2)
    expect(held.filter(({ holds }) => !holds)).toEqual([])
    // And Ana has her reply.
    expect(later.some(({ answers, state }) => answers?.message === answer?.id && state === 'finished')).toBe(true)
  } finally {
    await team.close()
  }
})
