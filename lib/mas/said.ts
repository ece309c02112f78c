/**
 * What the program itself says to people in a task: lines of the chat, questions of requests.
 *
 * A record keeps the sentence in the team's language, which agents read, and beside it what it says (`Said`), so that the
 * page repeats it in the language of its reader.
 */

import { closeHanSpaces, markValues } from '../format/hanSpaces'
import type { Language } from './records/values'

export const SENTENCES = {
  stageBegun: {
    en: (d: { n: number; of: number; goal: string }) => `Stage ${d.n} of ${d.of} started: ${d.goal}`,
    zh: (d: { n: number; of: number; goal: string }) => `阶段 ${d.n}/${d.of} 已开始：${d.goal}`,
  },
  stageEnded: {
    en: (d: { n: number; failed: boolean }) => `Stage ${d.n} ${d.failed ? 'has failed' : 'is finished'}.`,
    zh: (d: { n: number; failed: boolean }) => `阶段 ${d.n} ${d.failed ? '失败' : '已完成'}。`,
  },
  stageRetried: {
    en: (d: { n: number }) => `Stage ${d.n} is being retried.`,
    zh: (d: { n: number }) => `阶段 ${d.n} 正在重试。`,
  },
  taskJoined: {
    en: (d: { task: string }) => `You're now a member of the task ${d.task}.`,
    zh: (d: { task: string }) => `你现在是任务 ${d.task} 的成员。`,
  },
  stagePlanned: {
    en: (d: { n: number; goal: string }) => `You have a part in stage ${d.n}: ${d.goal}`,
    zh: (d: { n: number; goal: string }) => `阶段 ${d.n} 中有你负责的部分：${d.goal}`,
  },
  taskEnded: {
    en: (d: { name: string; failed: boolean; summary: string }) =>
      `The task ${d.name} ${d.failed ? 'has failed' : 'is finished'}. ${d.summary}`,
    zh: (d: { name: string; failed: boolean; summary: string }) =>
      `任务 ${d.name} ${d.failed ? '失败了' : '已完成'}。${d.summary}`,
  },
  workBegun: {
    en: (d: { name: string }) => `The work on ${d.name} has started.`,
    zh: (d: { name: string }) => `${d.name} 的工作已开始。`,
  },
  workPaused: {
    en: (d: { name: string }) => `The work on ${d.name} is paused. It continues later.`,
    zh: (d: { name: string }) => `${d.name} 的工作已暂停，稍后继续。`,
  },
  workResumed: {
    en: (d: { name: string }) => `The work on ${d.name} continues.`,
    zh: (d: { name: string }) => `${d.name} 的工作已恢复。`,
  },
  workStopped: {
    en: (d: { name: string }) =>
      `The work on ${d.name} has reached its limit. The people in charge decide whether it continues.`,
    zh: (d: { name: string }) => `${d.name} 的工作已达到限额，由负责人决定是否继续。`,
  },
  judgeStage: {
    en: (d: { n: number }) => `All parts of stage ${d.n} have ended. Review the stage: finish it, or retry it.`,
    zh: (d: { n: number }) => `阶段 ${d.n} 的各部分都已结束。请验收该阶段：完成，或重试。`,
  },
  judgeTask: {
    en: () => 'No stage is left. Review the task: finish it, or add stages.',
    zh: () => '已没有剩余阶段。请验收该任务：结束，或添加阶段。',
  },
  noJudge: {
    en: (d: { who: string; task: string; why: string }) =>
      `The task ${d.task} has no manager right now: ${d.who} couldn't decide how to continue (${d.why}). Tell ${d.who} what to do.`,
    zh: (d: { who: string; task: string; why: string }) =>
      `任务“${d.task}”无人验收：${d.who} 未能决定如何继续（${d.why}）。请告诉 ${d.who} 该怎么做。`,
  },
  undecided: { en: () => 'it ended without a decision', zh: () => '结束时没有作出决定' },
  judgePaused: {
    en: (d: { who: string; task: string }) =>
      `The task ${d.task} has no manager right now: ${d.who} has to decide how to continue, and is paused.`,
    zh: (d: { who: string; task: string }) => `任务“${d.task}”无人验收：应由 ${d.who} 决定如何继续，但它已暂停。`,
  },
  judgeGone: {
    en: (d: { who: string; task: string }) =>
      `The task ${d.task} has no manager: ${d.who}, who managed it, was removed. Choose another manager.`,
    zh: (d: { who: string; task: string }) => `任务“${d.task}”无人验收：管理者 ${d.who} 已移除。请指定新的管理者。`,
  },
  judgeNoModel: {
    en: (d: { who: string; task: string }) =>
      `The task ${d.task} has no manager right now: the model of ${d.who}, who manages it, isn't configured.`,
    zh: (d: { who: string; task: string }) => `任务“${d.task}”无人验收：管理者 ${d.who} 的模型没有配置。`,
  },
  outcome: {
    en: (d: { who: string; how: string; why: string }) => `${d.who}: ${d.how}. ${d.why}`,
    zh: (d: { who: string; how: string; why: string }) => `${d.who}：${d.how}。${d.why}`,
  },
  waitsInCircle: {
    en: (d: { names: string }) =>
      `${d.names} wait for each other in a circle, and none of them can answer. Release one of the waits.`,
    zh: (d: { names: string }) => `${d.names} 在互相等待，谁也无法回答。请解除其中一个等待。`,
  },
  waitsInVain: {
    en: (d: { names: string; why: string }) =>
      `${d.names} can't get an answer. ${d.why} Answer for them, or release the wait.`,
    zh: (d: { names: string; why: string }) => `${d.names}：等不到回答。${d.why}请代为回答，或解除等待。`,
  },
  isRemoved: { en: (d: { who: string }) => `${d.who} was removed.`, zh: (d: { who: string }) => `${d.who} 已被移除。` },
  hasNoAccess: {
    en: (d: { who: string }) => `${d.who} can no longer sign in.`,
    zh: (d: { who: string }) => `${d.who} 已不能登录。`,
  },
  isNotInTask: {
    en: (d: { who: string }) => `${d.who} is no longer in the task.`,
    zh: (d: { who: string }) => `${d.who} 已不在任务中。`,
  },
  isPaused: { en: (d: { who: string }) => `${d.who} is paused.`, zh: (d: { who: string }) => `${d.who} 已暂停。` },
  taskIsPaused: { en: () => 'The task is paused.', zh: () => '任务已暂停。' },
  hasNoModel: {
    en: (d: { who: string }) => `${d.who} has no model.`,
    zh: (d: { who: string }) => `${d.who} 没有模型。`,
  },
  hasNoReply: {
    en: (d: { who: string }) => `${d.who} can no longer reply.`,
    zh: (d: { who: string }) => `${d.who} 已无法再回复。`,
  },
  nobodyAsked: { en: () => 'There is no one to ask.', zh: () => '没有可以询问的人。' },
  actReleased: {
    en: (d: { who: string; agent: string; on: string }) => `${d.who} released ${d.agent}'s wait for ${d.on}`,
    zh: (d: { who: string; agent: string; on: string }) => `${d.who} 解除了 ${d.agent} 对 ${d.on} 的等待`,
  },
  actAnsweredFor: {
    en: (d: { who: string; names: string; n: number }) => `${d.who} answered request ${d.n} for ${d.names}`,
    zh: (d: { who: string; names: string; n: number }) => `${d.who} 代 ${d.names} 回答了第 ${d.n} 个请求`,
  },
  actTookOver: {
    en: (d: { who: string; from: string; n: number }) => `${d.who} took request ${d.n} over from ${d.from}`,
    zh: (d: { who: string; from: string; n: number }) => `${d.who} 从 ${d.from} 接手了第 ${d.n} 个请求`,
  },
  /** n: numbers of requests, may be empty; messages: how many. */
  actHandedOver: {
    en: (d: { who: string; to: string; n: string; messages: number }) =>
      `${d.who} hands over to ${d.to}: ${[
        ...(d.n === '' ? [] : [`request ${d.n}`]),
        ...(d.messages === 0 ? [] : [d.messages === 1 ? 'a message' : `${d.messages} messages`]),
      ].join(', ')}`,
    zh: (d: { who: string; to: string; n: string; messages: number }) =>
      `${d.who} 移交给 ${d.to}：${[
        ...(d.n === '' ? [] : [`请求 ${d.n}`]),
        ...(d.messages === 0 ? [] : [`${d.messages} 条消息`]),
      ].join('，')}`,
  },
  /** n: numbers of requests, may be empty; messages: how many. */
  actGave: {
    en: (d: { to: string; from: string; n: string; messages: number }) =>
      `${d.to} took over from ${d.from}: ${[
        ...(d.n === '' ? [] : [`request ${d.n}`]),
        ...(d.messages === 0 ? [] : [d.messages === 1 ? 'a message' : `${d.messages} messages`]),
      ].join(', ')}`,
    zh: (d: { to: string; from: string; n: string; messages: number }) =>
      `${d.to} 接手了 ${d.from} 的：${[
        ...(d.n === '' ? [] : [`请求 ${d.n}`]),
        ...(d.messages === 0 ? [] : [`${d.messages} 条消息`]),
      ].join('，')}`,
  },
  actAllowedTool: {
    en: (d: { who: string; tool: string }) => `${d.who} allowed ${d.tool} for this task`,
    zh: (d: { who: string; tool: string }) => `${d.who} 允许在这个任务里使用 ${d.tool}`,
  },
  actToolAsks: {
    en: (d: { who: string; tool: string }) => `${d.who} set ${d.tool} to always ask in this task`,
    zh: (d: { who: string; tool: string }) => `${d.who} 要求在这个任务里使用 ${d.tool} 时总要先问`,
  },
  actToolRevoked: {
    en: (d: { who: string; tool: string }) => `${d.who} revoked the rule for ${d.tool} in this task`,
    zh: (d: { who: string; tool: string }) => `${d.who} 取消了这个任务里对 ${d.tool} 的规则`,
  },
  actTookPart: {
    en: (d: { who: string; from: string; n: number }) => `${d.who} took over the part of ${d.from} in stage ${d.n}`,
    zh: (d: { who: string; from: string; n: number }) => `${d.who} 接手了 ${d.from} 在阶段 ${d.n} 中负责的部分`,
  },
  anyone: { en: () => 'anyone', zh: () => '任何人' },
  markedDone: {
    en: (d: { who: string; question: string }) => `${d.who} marked this as done: ${d.question}`,
    zh: (d: { who: string; question: string }) => `${d.who} 已标记完成：${d.question}`,
  },
  limitSteps: {
    en: (d: { n: string }) => `the limit of ${d.n} steps`,
    zh: (d: { n: string }) => `${d.n} 个步骤的上限`,
  },
  limitReflections: {
    en: (d: { n: string }) => `the limit of ${d.n} reflections`,
    zh: (d: { n: string }) => `${d.n} 次反思的上限`,
  },
  limitTalk: {
    en: (d: { n: string }) => `the limit of ${d.n} consecutive messages without other work`,
    zh: (d: { n: string }) => `连续 ${d.n} 条消息而没有其他工作的上限`,
  },
  limitTokens: {
    en: (d: { n: string }) => `the limit of ${d.n} tokens`,
    zh: (d: { n: string }) => `${d.n} 个 token 的上限`,
  },
  limitCost: { en: (d: { n: string }) => `the limit of $${d.n}`, zh: (d: { n: string }) => `$${d.n} 的费用上限` },
  limitDay: {
    en: (d: { n: string }) => `the limit of $${d.n} for one day`,
    zh: (d: { n: string }) => `每天 $${d.n} 的费用上限`,
  },
  limitReached: {
    en: (d: { who: string; limit: string }) => `${d.who} has reached ${d.limit} and can't continue. How many more?`,
    zh: (d: { who: string; limit: string }) => `${d.who} 已达到 ${d.limit}，不再继续。追加多少？`,
  },
  limitToManager: {
    en: (d: { who: string; limit: string }) =>
      `${d.who} has reached ${d.limit} and can't continue until an operator allows more.`,
    zh: (d: { who: string; limit: string }) => `${d.who} 已达到 ${d.limit}，操作员追加之前不会继续。`,
  },
  limitNear: {
    en: (d: { who: string; limit: string; used: string }) => `${d.who} has used ${d.used} of ${d.limit}.`,
    zh: (d: { who: string; limit: string; used: string }) => `${d.who} 已用去${d.limit}中的 ${d.used}。`,
  },
  actAllowed: {
    en: (d: { who: string; whom: string; n: string; limit: string }) =>
      `${d.who} allowed ${d.whom} ${d.n} more, beyond ${d.limit}`,
    zh: (d: { who: string; whom: string; n: string; limit: string }) =>
      `${d.who} 为 ${d.whom} 在${d.limit}之外追加了 ${d.n}`,
  },
  actRefused: {
    en: (d: { who: string; whom: string; limit: string }) => `${d.who} allowed ${d.whom} no more than ${d.limit}`,
    zh: (d: { who: string; whom: string; limit: string }) => `${d.who} 不允许 ${d.whom} 超过${d.limit}`,
  },
  theDay: { en: () => "today's work", zh: () => '今天的工作' },
  actPaused: {
    en: (d: { who: string; what: string }) => `${d.who} paused ${d.what}`,
    zh: (d: { who: string; what: string }) => `${d.who} 暂停了 ${d.what}`,
  },
  actReadNow: {
    en: (d: { who: string; what: string }) => `${d.who} paused ${d.what}, which reads one message first`,
    zh: (d: { who: string; what: string }) => `${d.who} 暂停了 ${d.what}，并让它先读一条消息`,
  },
  actRemovedAgent: {
    en: (d: { who: string; name: string }) => `${d.who} removed ${d.name} from the team`,
    zh: (d: { who: string; name: string }) => `${d.who} 把 ${d.name} 移出了团队`,
  },
  actResumed: {
    en: (d: { who: string; what: string }) => `${d.who} resumed ${d.what}`,
    zh: (d: { who: string; what: string }) => `${d.who} 让 ${d.what} 继续`,
  },
  actRanTool: {
    en: (d: { who: string; call: string }) => `${d.who} ran ${d.call} manually`,
    zh: (d: { who: string; call: string }) => `${d.who} 手动运行了 ${d.call}`,
  },
  actCancelled: {
    en: (d: { who: string; agent: string; what: string }) => `${d.who} cancelled a step of ${d.agent}: ${d.what}`,
    zh: (d: { who: string; agent: string; what: string }) => `${d.who} 取消了 ${d.agent} 的步骤：${d.what}`,
  },
  actRetried: {
    en: (d: { who: string; agent: string; what: string }) => `${d.who} had ${d.agent} retry a step: ${d.what}`,
    zh: (d: { who: string; agent: string; what: string }) => `${d.who} 让 ${d.agent} 重试步骤：${d.what}`,
  },
  actRenamedTask: {
    en: (d: { who: string; was: string; name: string }) => `${d.who} renamed the task ${d.was} to ${d.name}`,
    zh: (d: { who: string; was: string; name: string }) => `${d.who} 把任务 ${d.was} 改名为 ${d.name}`,
  },
  actRenamedStage: {
    en: (d: { who: string; n: number; name: string }) => `${d.who} renamed stage ${d.n} to ${d.name}`,
    zh: (d: { who: string; n: number; name: string }) => `${d.who} 把阶段 ${d.n} 改名为 ${d.name}`,
  },
  actChangedGoal: {
    en: (d: { who: string; n: number; goal: string }) => `${d.who} changed the goal of stage ${d.n}: ${d.goal}`,
    zh: (d: { who: string; n: number; goal: string }) => `${d.who} 修改了阶段 ${d.n} 的目标：${d.goal}`,
  },
  actRenamedStageAndGoal: {
    en: (d: { who: string; n: number; name: string; goal: string }) =>
      `${d.who} renamed stage ${d.n} to ${d.name} and changed its goal: ${d.goal}`,
    zh: (d: { who: string; n: number; name: string; goal: string }) =>
      `${d.who} 把阶段 ${d.n} 改名为 ${d.name}，并修改了目标：${d.goal}`,
  },
  actAddedStages: {
    en: (d: { who: string; goals: string }) => `${d.who} added to the plan: ${d.goals}`,
    zh: (d: { who: string; goals: string }) => `${d.who} 添加了阶段：${d.goals}`,
  },
  actFinishedStage: {
    en: (d: { who: string; n: number }) => `${d.who} finished stage ${d.n}`,
    zh: (d: { who: string; n: number }) => `${d.who} 完成了阶段 ${d.n}`,
  },
  actRetriedStage: {
    en: (d: { who: string; n: number; goal: string }) => `${d.who} retried stage ${d.n} with changes: ${d.goal}`,
    zh: (d: { who: string; n: number; goal: string }) => `${d.who} 修改后重试了阶段 ${d.n}：${d.goal}`,
  },
  actFinishedTask: {
    en: (d: { who: string; failed: boolean }) => `${d.who} finished the task${d.failed ? ' as failed' : ''}`,
    zh: (d: { who: string; failed: boolean }) => `${d.who} 结束了任务：${d.failed ? '失败' : '完成'}`,
  },
  actAdded: {
    en: (d: { who: string; names: string }) => `${d.who} added ${d.names}`,
    zh: (d: { who: string; names: string }) => `${d.who} 把 ${d.names} 加入了任务`,
  },
  actRemoved: {
    en: (d: { who: string; names: string }) => `${d.who} removed ${d.names}`,
    zh: (d: { who: string; names: string }) => `${d.who} 把 ${d.names} 移出了任务`,
  },
  actManager: {
    en: (d: { who: string; name: string }) => `${d.who} made ${d.name} the manager`,
    zh: (d: { who: string; name: string }) => `${d.who} 让 ${d.name} 担任管理者`,
  },
  actMadeTask: {
    en: (d: { who: string; name: string }) => `${d.who} created the task ${d.name}`,
    zh: (d: { who: string; name: string }) => `${d.who} 建立了任务 ${d.name}`,
  },
  because: {
    en: (d: { act: string; why: string }) => `${d.act} · ${d.why}`,
    zh: (d: { act: string; why: string }) => `${d.act} · ${d.why}`,
  },
  theWholeTask: { en: () => 'the task', zh: () => '任务' },
  leftTask: {
    en: (d: { name: string; why: string }) => `${d.name} is no longer in the task: ${d.why}`,
    zh: (d: { name: string; why: string }) => `${d.name} 已不在任务中：${d.why}`,
  },
  leftTeam: {
    en: (d: { name: string }) => `${d.name} is no longer on the team`,
    zh: (d: { name: string }) => `${d.name} 已不在团队中`,
  },
  planTask: {
    en: (d: { goal: string }) => `The task is new and has no stages. Plan them: ${d.goal}`,
    zh: (d: { goal: string }) => `任务是新建的，还没有阶段。请规划各阶段：${d.goal}`,
  },
  theTask: { en: () => 'the task', zh: () => '该任务' },
  toolAsks: {
    en: (d: { server: string; text: string }) => `${d.server} asks: ${d.text}`,
    zh: (d: { server: string; text: string }) => `${d.server} 询问：${d.text}`,
  },
  toolWantsModel: {
    en: (d: { server: string; agent: string; text: string }) =>
      `Allow ${d.server} to use the model of ${d.agent}?${d.text === '' ? '' : `\n${d.text}`}`,
    zh: (d: { server: string; agent: string; text: string }) =>
      `允许 ${d.server} 使用 ${d.agent} 的模型？${d.text === '' ? '' : `\n${d.text}`}`,
  },
  allow: { en: (d: { call: string }) => `Allow ${d.call}?`, zh: (d: { call: string }) => `允许 ${d.call}？` },
} as const

type Sentences = typeof SENTENCES
export type SentenceKey = keyof Sentences
type Value = string | number | boolean | readonly string[] | Said

/** A sentence by its key. Names in a row are a list; a value may be a sentence itself. */
export type Said = { readonly say: SentenceKey; readonly with: Readonly<Record<string, Value>> }

type Values<Data> = {
  readonly [Name in keyof Data]: Data[Name] extends string ? string | readonly string[] | Said : Data[Name]
}
export type SentenceData<Key extends SentenceKey> =
  Parameters<Sentences[Key]['en']> extends [infer Data] ? [Values<Data>] : []

const TABLE: Readonly<Record<string, Readonly<Record<Language, (data: never) => string>>>> = SENTENCES

export const said = <Key extends SentenceKey>(say: Key, ...[values]: SentenceData<Key>): Said => ({
  say,
  with: { ...values },
})

/** The sentence in that language; null where a newer program said it. */
export function saySaid(language: Language, { say, with: values }: Said): string | null {
  const sentence = Object.hasOwn(TABLE, say) ? TABLE[say]?.[language] : undefined
  if (sentence === undefined) return null
  const data = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sayValue(language, value)]))
  return language === 'en' ? sentence(data as never) : closeHanSpaces(sentence(markValues(data) as never))
}

function sayValue(language: Language, value: Value): string | number | boolean {
  if (typeof value !== 'object') return value
  return 'say' in value ? (saySaid(language, value) ?? '') : sayNames(language, value)
}

/** Names in a row, as people write them: "Ana, Ben and Coder", "Ana、Ben、Coder". */
export const sayNames = (language: Language, names: readonly string[]): string =>
  language === 'zh' || names.length < 2
    ? names.join('、')
    : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`

/** What a record tells, in that language where the program said it, and else as it was written. */
export const textIn = (language: Language, { text, said: own }: { text: string; said?: Said }): string =>
  (own === undefined ? null : saySaid(language, own)) ?? text
