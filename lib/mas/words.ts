/**
 * The few sentences that the system itself says inside a task, in the team's language.
 *
 * Names and paths, no ids.
 */

import { closeHanSpaces, markValues } from '../format/hanSpaces'
import type { Language } from './records'

const WORDS = {
  baseTask: { en: () => 'MAS base task', zh: () => 'MAS基础任务进程' },
  baseStage: { en: () => 'Take requests and make tasks of them', zh: () => '接收需求，并为其建立任务' },
  stageBegun: {
    en: (d: { n: number; of: number; goal: string }) => `Stage ${d.n} of ${d.of} has begun: ${d.goal}`,
    zh: (d: { n: number; of: number; goal: string }) => `阶段 ${d.n}/${d.of} 已开始：${d.goal}`,
  },
  stageCheckpoint: {
    en: ({ n, task }: { n: number; task: string }) => `Stage ${n} of “${task}” finished`,
    zh: ({ n, task }: { n: number; task: string }) => `“${task}”第 ${n} 阶段完成`,
  },
  stageEnded: {
    en: (d: { n: number; failed: boolean }) => `Stage ${d.n} ${d.failed ? 'has ended as failed' : 'is finished'}.`,
    zh: (d: { n: number; failed: boolean }) => `阶段 ${d.n} ${d.failed ? '以失败结束' : '已完成'}。`,
  },
  taskJoined: {
    en: (d: { task: string }) => `You are in the task ${d.task} now.`,
    zh: (d: { task: string }) => `你现在是任务 ${d.task} 的成员。`,
  },
  stagePlanned: {
    en: (d: { n: number; goal: string }) => `You have a part in stage ${d.n}: ${d.goal}`,
    zh: (d: { n: number; goal: string }) => `你在阶段 ${d.n} 中有一部分工作：${d.goal}`,
  },
  taskEnded: {
    en: (d: { name: string; failed: boolean; summary: string }) =>
      `The task ${d.name} ${d.failed ? 'has failed' : 'is finished'}. ${d.summary}`,
    zh: (d: { name: string; failed: boolean; summary: string }) =>
      `任务 ${d.name} ${d.failed ? '失败了' : '已完成'}。${d.summary}`,
  },
  judgeStage: {
    en: (d: { n: number }) => `All parts of stage ${d.n} are over. Judge the stage: finish it, or retry it.`,
    zh: (d: { n: number }) => `阶段 ${d.n} 的各部分都已结束。请判断该阶段：结束，或重试。`,
  },
  judgeTask: {
    en: () => 'No stage is left. Judge the task: finish it, or add stages.',
    zh: () => '没有剩余阶段了。请判断该任务：结束，或追加阶段。',
  },
  noJudge: {
    en: (d: { who: string; task: string; why: string }) =>
      `The task ${d.task} has no judge: ${d.who} could not say how it goes on (${d.why}). Write to ${d.who} what is to be done.`,
    zh: (d: { who: string; task: string; why: string }) =>
      `任务 ${d.task} 无人判断：${d.who} 未能决定如何继续（${d.why}）。请告诉 ${d.who} 该怎么做。`,
  },
  undecided: { en: () => 'it ended without a decision', zh: () => '结束时没有作出决定' },
  judgePaused: {
    en: (d: { who: string; task: string }) =>
      `The task ${d.task} has no judge: ${d.who} is to say how it goes on, and is paused.`,
    zh: (d: { who: string; task: string }) => `任务 ${d.task} 无人判断：应由 ${d.who} 决定如何继续，但它已被暂停。`,
  },
  judgeGone: {
    en: (d: { who: string; task: string }) =>
      `The task ${d.task} has no judge: ${d.who}, who managed it, is gone. Make someone else its manager.`,
    zh: (d: { who: string; task: string }) => `任务 ${d.task} 无人判断：管理者 ${d.who} 已不在。请指定新的管理者。`,
  },
  judgeNoModel: {
    en: (d: { who: string; task: string }) =>
      `The task ${d.task} has no judge: the model of ${d.who}, who manages it, is not configured.`,
    zh: (d: { who: string; task: string }) => `任务 ${d.task} 无人判断：管理者 ${d.who} 的模型没有配置。`,
  },
  judgedAgain: { en: () => 'the task is judged again', zh: () => '该任务又有人判断了' },
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
      `${d.names}: waiting in vain. ${d.why} Answer for them, or release the wait.`,
    zh: (d: { names: string; why: string }) => `${d.names}：等不到回答。${d.why}请代为回答，或解除等待。`,
  },
  isRemoved: { en: (d: { who: string }) => `${d.who} was removed.`, zh: (d: { who: string }) => `${d.who} 已被移除。` },
  hasNoAccess: {
    en: (d: { who: string }) => `${d.who} may no longer sign in.`,
    zh: (d: { who: string }) => `${d.who} 已不能登录。`,
  },
  isNotInTask: {
    en: (d: { who: string }) => `${d.who} is not in the task any more.`,
    zh: (d: { who: string }) => `${d.who} 已不在任务中。`,
  },
  isPaused: { en: (d: { who: string }) => `${d.who} is paused.`, zh: (d: { who: string }) => `${d.who} 已暂停。` },
  taskIsPaused: { en: () => 'The task is paused.', zh: () => '任务已暂停。' },
  hasNoModel: {
    en: (d: { who: string }) => `${d.who} has no model.`,
    zh: (d: { who: string }) => `${d.who} 没有模型。`,
  },
  hasNoReply: {
    en: (d: { who: string }) => `${d.who} has nothing left that could answer.`,
    zh: (d: { who: string }) => `${d.who} 已没有可以回答的步骤。`,
  },
  nobodyAsked: { en: () => 'Nobody is there to be asked.', zh: () => '没有可以询问的人。' },
  goesOn: { en: () => 'it goes on', zh: () => '已经继续' },
  noAnswerGiven: { en: () => 'it ended without an answer', zh: () => '结束时没有给出回答' },
  dueCame: { en: () => 'the due time came without an answer', zh: () => '到截止时间仍没有回答' },
  releasedBy: {
    en: (d: { who: string; why: string }) => `released by ${d.who}: ${d.why}`,
    zh: (d: { who: string; why: string }) => `${d.who} 解除：${d.why}`,
  },
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
  actTookPart: {
    en: (d: { who: string; from: string; n: number }) => `${d.who} took over the part of ${d.from} in stage ${d.n}`,
    zh: (d: { who: string; from: string; n: number }) => `${d.who} 接手了 ${d.from} 在阶段 ${d.n} 中的分工`,
  },
  seenToBy: { en: (d: { who: string }) => `by ${d.who}`, zh: (d: { who: string }) => `由 ${d.who} 处理` },
  saidNotMe: { en: (d: { who: string }) => `${d.who}: not me`, zh: (d: { who: string }) => `${d.who}：不归我` },
  anyone: { en: () => 'anyone', zh: () => '任何人' },
  markedDone: {
    en: (d: { who: string; question: string }) => `${d.who} marked this as done: ${d.question}`,
    zh: (d: { who: string; question: string }) => `${d.who} 已标记完成：${d.question}`,
  },
  planGoal: {
    en: (d: { stage: string; own: string }) => `stage goal: ${d.stage}\n\nyour goal:\n${d.own}`,
    zh: (d: { stage: string; own: string }) => `阶段目标：${d.stage}\n\n你的目标：\n${d.own}`,
  },
  plan: { en: () => 'Plan my part of the stage', zh: () => '规划我在本阶段的部分' },
  reply: { en: (d: { who: string }) => `Reply to ${d.who}`, zh: (d: { who: string }) => `回复 ${d.who}` },
  takeIn: {
    en: (d: { who: string }) => `Take in the message from ${d.who}`,
    zh: (d: { who: string }) => `处理 ${d.who} 的消息`,
  },
  judge: { en: () => 'Judge what was done', zh: () => '判断完成情况' },
  writeCall: {
    en: (d: { intention: string }) => `Write the call: ${d.intention}`,
    zh: (d: { intention: string }) => `编写调用：${d.intention}`,
  },
  decideTool: {
    en: (d: { server: string }) => `Go on with ${d.server}, or end`,
    zh: (d: { server: string }) => `继续使用 ${d.server}，或结束`,
  },
  lastReflection: {
    en: () =>
      'The list of steps is empty and the part is not submitted. Add what is missing, or end the part with a summary.',
    zh: () => '步骤列表已空，但该部分尚未提交。请补上缺少的步骤，或以总结结束。',
  },
  emptyAfterReflection: {
    en: () => 'the list of steps was empty after its last reflection',
    zh: () => '最后一次反思之后步骤列表仍为空',
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
    en: (d: { n: string }) => `the limit of ${d.n} messages in a row without anything else being done`,
    zh: (d: { n: string }) => `连续 ${d.n} 条消息而没有其他进展的上限`,
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
    en: (d: { who: string; limit: string }) => `${d.who} has reached ${d.limit} and stands still. How many more?`,
    zh: (d: { who: string; limit: string }) => `${d.who} 已达到 ${d.limit}，现已停下。再允许多少？`,
  },
  limitToManager: {
    en: (d: { who: string; limit: string }) =>
      `${d.who} has reached ${d.limit} and stands still until an operator allows more.`,
    zh: (d: { who: string; limit: string }) => `${d.who} 已达到 ${d.limit}，在操作员允许更多之前不会继续。`,
  },
  limitNear: {
    en: (d: { who: string; limit: string; used: string }) => `${d.who} has used ${d.used} of ${d.limit}.`,
    zh: (d: { who: string; limit: string; used: string }) => `${d.who} 已用去${d.limit}中的 ${d.used}。`,
  },
  limitRefused: {
    en: (d: { limit: string; who: string; why: string }) => `${d.limit}; ${d.who} allowed no more: ${d.why}`,
    zh: (d: { limit: string; who: string; why: string }) => `${d.limit}；${d.who} 不再允许更多：${d.why}`,
  },
  limitNobody: {
    en: (d: { limit: string }) => `${d.limit}, and nobody can allow more`,
    zh: (d: { limit: string }) => `${d.limit}，且无人能允许更多`,
  },
  actAllowed: {
    en: (d: { who: string; whom: string; n: string; limit: string }) =>
      `${d.who} allowed ${d.whom} ${d.n} more, beyond ${d.limit}`,
    zh: (d: { who: string; whom: string; n: string; limit: string }) =>
      `${d.who} 允许 ${d.whom} 在${d.limit}之外再增加 ${d.n}`,
  },
  actRefused: {
    en: (d: { who: string; whom: string; limit: string }) => `${d.who} allowed ${d.whom} no more than ${d.limit}`,
    zh: (d: { who: string; whom: string; limit: string }) => `${d.who} 不允许 ${d.whom} 超过${d.limit}`,
  },
  theDay: { en: () => 'today’s work', zh: () => '今天的工作' },
  newDay: { en: () => 'a new day has begun', zh: () => '新的一天已开始' },
  stepFailed: {
    en: (d: { skill: string; why: string }) => `${d.skill} failed: ${d.why}`,
    zh: (d: { skill: string; why: string }) => `${d.skill} 失败：${d.why}`,
  },
  askedInCircles: {
    en: (d: { n: number }) => `it asked for more ${d.n} times and never came to an end`,
    zh: (d: { n: number }) => `已要求补充信息 ${d.n} 次，仍未得出结果`,
  },
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
  takeOutOfFile: {
    en: (d: { name: string }) => `${d.name} stands in the configuration: take it out there.`,
    zh: (d: { name: string }) => `${d.name} 写在配置文件里：请在那里移除。`,
  },
  stillManages: {
    en: (d: { name: string; task: string }) => `${d.name} manages ${d.task}. Make someone else the manager first.`,
    zh: (d: { name: string; task: string }) => `${d.name} 正在管理 ${d.task}。请先指定其他管理者。`,
  },
  actResumed: {
    en: (d: { who: string; what: string }) => `${d.who} let ${d.what} go on`,
    zh: (d: { who: string; what: string }) => `${d.who} 让 ${d.what} 继续`,
  },
  actRanTool: {
    en: (d: { who: string; call: string }) => `${d.who} ran ${d.call} by hand`,
    zh: (d: { who: string; call: string }) => `${d.who} 手动运行了 ${d.call}`,
  },
  ownCancel: { en: () => 'no longer wanted', zh: () => '不再需要' },
  handInterrupted: {
    en: () => 'the program stopped before it was over; it was not repeated, run it again if you still want it',
    zh: () => '程序在它结束之前停止；没有重复，如仍需要请再次运行',
  },
  unconfirmed: {
    en: (d: { call: string }) => `${d.call} asks first now, and nobody confirmed it`,
    zh: (d: { call: string }) => `${d.call} 现在需要先确认，而没有人确认`,
  },
  actCancelled: {
    en: (d: { who: string; agent: string; what: string }) => `${d.who} cancelled a step of ${d.agent}: ${d.what}`,
    zh: (d: { who: string; agent: string; what: string }) => `${d.who} 取消了 ${d.agent} 的步骤：${d.what}`,
  },
  actRetried: {
    en: (d: { who: string; agent: string; what: string }) => `${d.who} had ${d.agent} do a step again: ${d.what}`,
    zh: (d: { who: string; agent: string; what: string }) => `${d.who} 让 ${d.agent} 再做一次步骤：${d.what}`,
  },
  actAddedStages: {
    en: (d: { who: string; goals: string }) => `${d.who} added to the plan: ${d.goals}`,
    zh: (d: { who: string; goals: string }) => `${d.who} 追加了阶段：${d.goals}`,
  },
  actFinishedStage: {
    en: (d: { who: string; n: number }) => `${d.who} finished stage ${d.n}`,
    zh: (d: { who: string; n: number }) => `${d.who} 结束了阶段 ${d.n}`,
  },
  actRetriedStage: {
    en: (d: { who: string; n: number; goal: string }) => `${d.who} had stage ${d.n} done again, changed: ${d.goal}`,
    zh: (d: { who: string; n: number; goal: string }) => `${d.who} 更改并重试了阶段 ${d.n}：${d.goal}`,
  },
  actFinishedTask: {
    en: (d: { who: string; failed: boolean }) => `${d.who} ended the task as ${d.failed ? 'failed' : 'finished'}`,
    zh: (d: { who: string; failed: boolean }) => `${d.who} 结束了任务：${d.failed ? '失败' : '完成'}`,
  },
  actAdded: {
    en: (d: { who: string; names: string }) => `${d.who} added ${d.names}`,
    zh: (d: { who: string; names: string }) => `${d.who} 加入了 ${d.names}`,
  },
  actRemoved: {
    en: (d: { who: string; names: string }) => `${d.who} removed ${d.names}`,
    zh: (d: { who: string; names: string }) => `${d.who} 移除了 ${d.names}`,
  },
  actManager: {
    en: (d: { who: string; name: string }) => `${d.who} made ${d.name} the manager`,
    zh: (d: { who: string; name: string }) => `${d.who} 让 ${d.name} 担任管理者`,
  },
  actMadeTask: {
    en: (d: { who: string; name: string }) => `${d.who} made the task ${d.name}`,
    zh: (d: { who: string; name: string }) => `${d.who} 建立了任务 ${d.name}`,
  },
  cancelledBy: {
    en: (d: { who: string; why: string }) => `cancelled by ${d.who}: ${d.why}`,
    zh: (d: { who: string; why: string }) => `${d.who} 取消了它：${d.why}`,
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
    en: (d: { name: string }) => `${d.name} is no longer in the team`,
    zh: (d: { name: string }) => `${d.name} 已不在团队中`,
  },
  conversationWith: {
    en: (d: { who: string }) => `Conversation with ${d.who}`,
    zh: (d: { who: string }) => `与 ${d.who} 的对话`,
  },
  conversationGoal: {
    en: (d: { who: string; uri: string }) => `Answer what ${d.who} of another system (${d.uri}) asks.`,
    zh: (d: { who: string; uri: string }) => `回答其他系统的 ${d.who}（${d.uri}）提出的问题。`,
  },
  importedName: {
    en: (d: { who: string }) => `Conversation brought by ${d.who}`,
    zh: (d: { who: string }) => `${d.who} 导入的对话`,
  },
  importedGoal: {
    en: () => 'It was held elsewhere and is kept here to be read, and to go on from.',
    zh: () => '这段对话发生在别处，保存在这里供阅读和继续。',
  },
  agentsGuide: {
    en: () =>
      'Speaks with agents of other systems by their address, agent://domain/agent-id. list_agents says which there are; send_to_agent writes to one. Its answer comes later, as a message.',
    zh: () =>
      '按地址 agent://域名/智能体标识 与其他系统的智能体交流。list_agents 列出可联系的智能体；send_to_agent 向其中一个发送消息，回答稍后以消息形式到达。',
  },
  willNotAnswer: { en: () => 'This could not be answered.', zh: () => '这个问题无法回答。' },
  noSuchPeer: { en: () => 'its system is not configured any more', zh: () => '其所属系统已不在配置中' },
  notDelivered: { en: () => 'it could not be delivered', zh: () => '无法送达' },
  unsentNoAddress: {
    en: () => 'its system has no address, and named none',
    zh: () => '对方系统没有地址，也没有告知地址',
  },
  unsentNotConnected: {
    en: () => 'its system has no address, and is not connected',
    zh: () => '对方系统没有地址，也没有连接',
  },
  unsentNoWay: { en: () => 'there is no way to send it any more', zh: () => '已经没有途径可以发送' },
  unsentToBeFetched: { en: () => 'it waits to be fetched', zh: () => '等待对方来取' },
  unsentAnswered: {
    en: (d: { status: number; says: string }) => `it answered ${d.status}${d.says === '' ? '' : `: ${d.says}`}`,
    zh: (d: { status: number; says: string }) => `对方答复 ${d.status}${d.says === '' ? '' : `：${d.says}`}`,
  },
  unsentPrivate: {
    en: (d: { host: string }) => `${d.host} lies in a private network; it is not called`,
    zh: (d: { host: string }) => `${d.host} 位于私有网络，不会调用`,
  },
  unsentLate: {
    en: (d: { seconds: number }) => `no answer within ${d.seconds} s`,
    zh: (d: { seconds: number }) => `${d.seconds} 秒内没有答复`,
  },
  unsentNetwork: {
    en: (d: { says: string }) => `it could not be reached: ${d.says}`,
    zh: (d: { says: string }) => `无法连接：${d.says}`,
  },
  noLongerAllowed: {
    en: (d: { name: string; server: string }) => `${d.name} may no longer use ${d.server}`,
    zh: (d: { name: string; server: string }) => `${d.name} 不能再使用 ${d.server}`,
  },
  planTask: {
    en: (d: { goal: string }) => `The task is new and has no stages. Plan them: ${d.goal}`,
    zh: (d: { goal: string }) => `任务是新建的，还没有阶段。请规划各阶段：${d.goal}`,
  },
  ended: { en: (d: { what: string }) => `${d.what} ended`, zh: (d: { what: string }) => `${d.what}已结束` },
  theStage: { en: () => 'the stage', zh: () => '该阶段' },
  theTask: { en: () => 'the task', zh: () => '该任务' },
  thePart: { en: () => 'this part of the stage', zh: () => '该阶段中的这一部分' },
  noInstruction: { en: () => 'its instruction could not be written', zh: () => '未能写出它的指令' },
  notCalled: {
    en: (d: { reason: string }) => `not called: ${d.reason}`,
    zh: (d: { reason: string }) => `未调用：${d.reason}`,
  },
  refusedBy: {
    en: (d: { who: string; why: string }) => `refused by ${d.who}: ${d.why}`,
    zh: (d: { who: string; why: string }) => `${d.who} 拒绝：${d.why}`,
  },
  toolAsks: {
    en: (d: { server: string; text: string }) => `${d.server} asks: ${d.text}`,
    zh: (d: { server: string; text: string }) => `${d.server} 询问：${d.text}`,
  },
  toolWantsModel: {
    en: (d: { server: string; agent: string; text: string }) =>
      `Allow ${d.server} to ask the model of ${d.agent}?${d.text === '' ? '' : `\n${d.text}`}`,
    zh: (d: { server: string; agent: string; text: string }) =>
      `允许 ${d.server} 询问 ${d.agent} 的模型？${d.text === '' ? '' : `\n${d.text}`}`,
  },
  argumentsChanged: { en: () => 'other arguments were written for the call', zh: () => '该调用的参数已改写' },
  editedBefore: {
    en: (d: { who: string; was: string }) => `${d.who} changed the arguments before it ran; they were ${d.was}`,
    zh: (d: { who: string; was: string }) => `运行前 ${d.who} 修改了参数；原参数为 ${d.was}`,
  },
  toolAsksNoMore: { en: () => 'the tool server took its question back', zh: () => '工具服务器撤回了询问' },
  callOver: { en: () => 'the call that asked is over', zh: () => '发起询问的调用已结束' },
  callLost: {
    en: () => 'the call that asked was lost when the program stopped',
    zh: () => '程序停止时，发起询问的调用已中断',
  },
  allow: { en: (d: { call: string }) => `Allow ${d.call}?`, zh: (d: { call: string }) => `允许 ${d.call}？` },
  messageTo: {
    en: (d: { names: string }) => `Message to ${d.names}`,
    zh: (d: { names: string }) => `发给 ${d.names} 的消息`,
  },
  sentTo: {
    en: (d: { names: string; text: string }) => `Sent to ${d.names}: ${d.text}`,
    zh: (d: { names: string; text: string }) => `已发送给 ${d.names}：${d.text}`,
  },
  noWaitForManager: {
    en: () => 'You manage a task, so you do not stand still for this: the answer will come as a message.',
    zh: () => '你在管理任务，因此不会为此停下：回答会作为消息到来。',
  },
  unknownAgents: {
    en: (d: { ids: string }) => `There is no agent ${d.ids}.`,
    zh: (d: { ids: string }) => `没有这样的智能体：${d.ids}。`,
  },
  namesAre: {
    en: (d: { names: string }) => `There are: ${d.names}.`,
    zh: (d: { names: string }) => `现有：${d.names}。`,
  },
  tasksAre: {
    en: (d: { names: string }) => `Tasks that you manage: ${d.names}.`,
    zh: (d: { names: string }) => `你管理的任务：${d.names}。`,
  },
  stagesAre: {
    en: (d: { stages: string }) => `Its stages: ${d.stages}.`,
    zh: (d: { stages: string }) => `其阶段：${d.stages}。`,
  },
  notInTask: {
    en: (d: { names: string }) => `${d.names}: not in this task.`,
    zh: (d: { names: string }) => `${d.names}：不在这个任务里。`,
  },
  onlySelf: { en: () => 'A message needs a receiver other than its sender.', zh: () => '消息需要发送者以外的接收者。' },
  unknownTask: {
    en: (d: { id: string }) => `There is no task ${d.id}.`,
    zh: (d: { id: string }) => `没有任务 ${d.id}。`,
  },
  unknownStage: {
    en: (d: { id: string }) => `There is no stage ${d.id} in this task.`,
    zh: (d: { id: string }) => `该任务中没有阶段 ${d.id}。`,
  },
  unknownConfig: {
    en: (d: { id: string }) => `There is no configuration ${d.id}.`,
    zh: (d: { id: string }) => `没有配置 ${d.id}。`,
  },
  notManager: { en: () => 'You do not manage this task.', zh: () => '你不是该任务的管理者。' },
  stageNotRunning: { en: () => 'That stage is not running.', zh: () => '该阶段没有在运行。' },
  retriedAlready: { en: () => 'another try of that stage has not ended yet', zh: () => '该阶段的另一次尝试还没有结束' },
  taskOver: { en: () => 'That task is over.', zh: () => '该任务已结束。' },
  baseStays: {
    en: () => 'BASE_TASK_STAYS: the base task and its stage stay as they are.',
    zh: () => 'BASE_TASK_STAYS：基础任务及其阶段保持不变。',
  },
  noStages: { en: () => 'The list of stages is empty.', zh: () => '阶段列表为空。' },
  emptyAllocation: {
    en: () => 'A stage needs at least one agent with a goal.',
    zh: () => '阶段至少需要一个有目标的智能体。',
  },
  notAllowedSteps: {
    en: (d: { names: string }) => `Not planned, you may not use: ${d.names}`,
    zh: (d: { names: string }) => `未加入计划，你无权使用：${d.names}`,
  },
  unknownMemory: {
    en: (d: { key: string }) => `There is no note ${d.key}; nothing was deleted.`,
    zh: (d: { key: string }) => `没有笔记 ${d.key}，未删除任何内容。`,
  },
  nameTaken: {
    en: (d: { name: string; names: string; free: string }) =>
      `The name ${d.name} is taken. There are: ${d.names}. ${d.free} is free.`,
    zh: (d: { name: string; names: string; free: string }) =>
      `名字 ${d.name} 已被使用。现有：${d.names}。可以使用 ${d.free}。`,
  },
  unknownSkills: {
    en: (d: { names: string; known: string }) => `No skills: ${d.names}. Skills: ${d.known}.`,
    zh: (d: { names: string; known: string }) => `没有这些技能：${d.names}。现有技能：${d.known}。`,
  },
  unknownTools: {
    en: (d: { names: string; known: string }) => `No tools: ${d.names}. Tools: ${d.known}.`,
    zh: (d: { names: string; known: string }) => `没有这些工具：${d.names}。现有工具：${d.known}。`,
  },
  configsAre: {
    en: (d: { ids: string }) => `Configurations: ${d.ids}.`,
    zh: (d: { ids: string }) => `现有配置：${d.ids}。`,
  },
  submit: { en: () => 'End my part', zh: () => '结束我的部分' },
  writtenBefore: { en: () => 'Written with the step before.', zh: () => '已由上一步写好。' },
  toolEnded: { en: () => 'The call was the last one.', zh: () => '这是最后一次调用。' },
  takenIn: {
    en: () => 'Taken in without a call: the agent waited for it.',
    zh: () => '无需调用即已收到：智能体正在等它。',
  },
  notNeeded: {
    en: (d: { why: string }) => `Not needed: ${d.why}`,
    zh: (d: { why: string }) => `不需要：${d.why}`,
  },
  notPartOfTask: { en: () => 'You may ask only about tasks that you are in.', zh: () => '只能询问你参与的任务。' },
  noSuchStep: {
    en: (d: { number: number; names: string }) =>
      `from_step: no step #${d.number} of yours has a text. There are: ${d.names}.`,
    zh: (d: { number: number; names: string }) => `from_step：你没有带文本的步骤 #${d.number}。可用的有：${d.names}。`,
  },
  descriptionsLeftOut: {
    en: () => '(what each does is left out, this model reads little at once; get_description shows it)',
    zh: () => '（各项说明已略去，因为该模型一次能读的内容有限；get_description 可显示说明）',
  },
  abilitiesLeftOut: {
    en: (d: { n: number }) => `(${d.n} more, arguments and descriptions are left out; get_description shows them)`,
    zh: (d: { n: number }) => `（另有 ${d.n} 项以及参数和说明已略去；get_description 可显示）`,
  },
  notesLeftOut: {
    en: (d: { n: number }) => `(${d.n} older notes are left out: there is no room)`,
    zh: (d: { n: number }) => `（较早的 ${d.n} 条笔记放不下，已略去）`,
  },
  stepsLeftOut: {
    en: (d: { n: number }) => `(${d.n} later steps are left out: there is no room)`,
    zh: (d: { n: number }) => `（之后的 ${d.n} 个步骤放不下，已略去）`,
  },
  messagesLeftOut: {
    en: (d: { n: number }) => `(${d.n} older messages are left out: there is no room)`,
    zh: (d: { n: number }) => `（较早的 ${d.n} 条消息放不下，已略去）`,
  },
  goOnExactly: {
    en: () =>
      'The length limit cut this answer off. Go on exactly where it broke off, with the very next character: repeat nothing, write no remark and no opening tag, and bring it to its end.',
    zh: () =>
      '这个回答因长度限制而中断。请从中断处的下一个字符接着写完：不要重复已写的内容，不要加说明，也不要重新写开始标签。',
  },
  cutInThoughts: {
    en: () => 'the length limit was reached before the answer began: think in a few words, then answer at once',
    zh: () => '还没有开始作答就达到了长度限制：请简短思考，立即作答',
  },
  cutStill: {
    en: () =>
      'it is longer than the length limit lets you write, although you were asked to go on. Write it in parts: only the first part in this answer (of a file: its beginning, with write_file), the rest in further steps that append to it or edit it',
    zh: () =>
      '即使多次续写，长度仍超出限制。请分部分写：这个回答只写第一部分（文件则用 write_file 写开头），其余在后续步骤中追加或编辑',
  },
  answerObject: {
    en: () =>
      'Answer with one JSON object instead of tags: each key is the name of a tag that answer_format shows and holds what would stand in that tag. Keys that you do not need are null.',
    zh: () =>
      '请用一个 JSON 对象代替标签作答：每个键是 answer_format 中的一个标签名，值是该标签里应写的内容。不需要的键填 null。',
  },
  notTaken: {
    en: (d: { n: number; reason: string }) => `the answer could not be taken, ${d.n} times: ${d.reason}`,
    zh: (d: { n: number; reason: string }) => `模型的回答 ${d.n} 次都无法采用：${d.reason}`,
  },
  interrupted: {
    en: () => 'the program stopped while it ran; it was not repeated, for a repeat could do harm',
    zh: () => '运行时程序停止；重复可能有害，因此没有重复',
  },
} as const

type Words = typeof WORDS
export type WordKey = keyof Words
export type WordData<Key extends WordKey> = Parameters<Words[Key]['en']>

const TABLE: { [Key in WordKey]: Record<Language, (...data: WordData<Key>) => string> } = WORDS

/** Say it in that language. */
export function sayInLanguage<Key extends WordKey>(language: Language, key: Key, ...data: WordData<Key>): string {
  if (language === 'en') return TABLE[key].en(...data)
  return closeHanSpaces(TABLE[key].zh(...(data.map(markValues) as WordData<Key>)))
}

/** Names in a row, as people write them: "Ana, Ben and Coder", "Ana、Ben、Coder". */
export const sayNames = (language: Language, names: readonly string[]): string =>
  language === 'zh' || names.length < 2
    ? names.join('、')
    : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`
