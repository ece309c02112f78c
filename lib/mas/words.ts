/**
 * The sentences of the system in the team's language: those for people (`said.ts`), and those that agents and steps get.
 *
 * Names and paths, no ids.
 */

import { closeHanSpaces, markValues } from '../format/hanSpaces'
import type { Language } from './records'
import { SENTENCES } from './said'
import { BASE_TASK_NAME } from './taskTitle'

const WORDS = {
  ...SENTENCES,
  baseTask: { en: () => BASE_TASK_NAME.en, zh: () => BASE_TASK_NAME.zh },
  baseStage: { en: () => 'Take requests and turn them into tasks', zh: () => '接收请求，并为其建立任务' },
  stageCheckpoint: {
    en: ({ n, task }: { n: number; task: string }) => `Stage ${n} of “${task}” finished`,
    zh: ({ n, task }: { n: number; task: string }) => `“${task}”的阶段 ${n} 已完成`,
  },
  taskCheckpoint: {
    en: ({ task }: { task: string }) => `“${task}” finished`,
    zh: ({ task }: { task: string }) => `“${task}”已完成`,
  },
  judgedAgain: { en: () => 'the task has a manager again', zh: () => '该任务已有人验收' },
  goesOn: { en: () => 'it continues', zh: () => '已经继续' },
  noAnswerGiven: { en: () => 'it ended without an answer', zh: () => '结束时没有给出回答' },
  dueCame: { en: () => 'there was no answer by the due time', zh: () => '到截止时间仍没有回答' },
  releasedBy: {
    en: (d: { who: string; why: string }) => `released by ${d.who}: ${d.why}`,
    zh: (d: { who: string; why: string }) => `${d.who} 解除：${d.why}`,
  },
  seenToBy: { en: (d: { who: string }) => `by ${d.who}`, zh: (d: { who: string }) => `由 ${d.who} 处理` },
  saidNotMe: { en: (d: { who: string }) => `${d.who}: not me`, zh: (d: { who: string }) => `${d.who}：不归我处理` },
  planGoal: {
    en: (d: { stage: string; own: string }) => `stage goal: ${d.stage}\n\nyour goal:\n${d.own}`,
    zh: (d: { stage: string; own: string }) => `阶段目标：${d.stage}\n\n你的目标：\n${d.own}`,
  },
  plan: { en: () => 'Plan my part of the stage', zh: () => '规划我在本阶段负责的部分' },
  reply: { en: (d: { who: string }) => `Reply to ${d.who}`, zh: (d: { who: string }) => `回复 ${d.who}` },
  takeIn: {
    en: (d: { who: string }) => `Read the message from ${d.who}`,
    zh: (d: { who: string }) => `处理 ${d.who} 的消息`,
  },
  judge: { en: () => 'Review what was done', zh: () => '验收完成情况' },
  writeCall: {
    en: (d: { intention: string }) => `Prepare the call: ${d.intention}`,
    zh: (d: { intention: string }) => `编写调用：${d.intention}`,
  },
  decideTool: {
    en: (d: { server: string }) => `Continue with ${d.server}, or end`,
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
  limitRefused: {
    en: (d: { limit: string; who: string; why: string }) => `${d.limit}; ${d.who} refused to allow more: ${d.why}`,
    zh: (d: { limit: string; who: string; why: string }) => `${d.limit}；${d.who} 不再追加：${d.why}`,
  },
  limitNobody: {
    en: (d: { limit: string }) => `${d.limit}, and no one can allow more`,
    zh: (d: { limit: string }) => `${d.limit}，且无人能追加`,
  },
  newDay: { en: () => 'a new day started', zh: () => '新的一天已开始' },
  stepFailed: {
    en: (d: { skill: string; why: string }) => `${d.skill} failed: ${d.why}`,
    zh: (d: { skill: string; why: string }) => `${d.skill} 失败：${d.why}`,
  },
  askedInCircles: {
    en: (d: { n: number }) => `it asked for more ${d.n} times and never came to an end`,
    zh: (d: { n: number }) => `已要求补充信息 ${d.n} 次，仍未得出结果`,
  },
  takeOutOfFile: {
    en: (d: { name: string }) => `${d.name} is set in the configuration: remove it there.`,
    zh: (d: { name: string }) => `${d.name} 写在配置文件里：请在那里移除。`,
  },
  stillManages: {
    en: (d: { name: string; task: string }) => `${d.name} manages ${d.task}. Make someone else the manager first.`,
    zh: (d: { name: string; task: string }) => `${d.name} 正在管理 ${d.task}。请先指定其他管理者。`,
  },
  ownCancel: { en: () => 'no longer needed', zh: () => '不再需要' },
  handInterrupted: {
    en: () => 'the server stopped before it finished; it was not repeated, run it again if you still need it',
    zh: () => '程序在它结束之前停止；没有重复，如仍需要请再次运行',
  },
  unconfirmed: {
    en: (d: { call: string }) => `${d.call} now needs confirmation, and no one confirmed it`,
    zh: (d: { call: string }) => `${d.call} 现在需要先确认，而没有人确认`,
  },
  cancelledBy: {
    en: (d: { who: string; why: string }) => `cancelled by ${d.who}: ${d.why}`,
    zh: (d: { who: string; why: string }) => `已由 ${d.who} 取消：${d.why}`,
  },
  requesterHasNoPart: {
    en: (d: { who: string }) =>
      `${d.who} asked for this from outside and takes no part in the work. Members may send it messages, with questions and the result.`,
    zh: (d: { who: string }) => `${d.who} 从外部提出此请求，不参与工作。成员可以向它发送消息、提问和结果。`,
  },
  filesNotSent: {
    en: (d: { names: string }) => `Not sent, because they are too large, too many or not kept: ${d.names}.`,
    zh: (d: { names: string }) => `以下文件过大、过多或未保留，没有发送：${d.names}。`,
  },
  peerAtLimit: {
    en: (d: { who: string; n: number }) =>
      `${d.who} may have ${d.n} ${d.n === 1 ? 'task' : 'tasks'} at once. It can ask again when one has ended.`,
    zh: (d: { who: string; n: number }) => `${d.who} 最多同时有 ${d.n} 个任务。其中一个结束后可以再次请求。`,
  },
  conversationWith: {
    en: (d: { who: string }) => `Conversation with ${d.who}`,
    zh: (d: { who: string }) => `与 ${d.who} 的会话`,
  },
  conversationGoal: {
    en: (d: { who: string; uri: string }) => `Answer requests from the external agent ${d.who} (${d.uri}).`,
    zh: (d: { who: string; uri: string }) => `回答外部智能体 ${d.who}（${d.uri}）的请求。`,
  },
  /** A note in an agent's memory; heads in it are ### or deeper. */
  conversationNote: {
    en: (d: { who: string; uri: string; id: string }) =>
      `### Conversation with ${d.who}\n${d.uri}, conversation_id ${d.id}. With this id send_to_agent continues it, from any task.`,
    zh: (d: { who: string; uri: string; id: string }) =>
      `### 与 ${d.who} 的会话\n${d.uri}，conversation_id ${d.id}。在任何任务中，send_to_agent 用此标识即可继续。`,
  },
  importedName: {
    en: (d: { who: string }) => `Conversation imported by ${d.who}`,
    zh: (d: { who: string }) => `${d.who} 导入的会话`,
  },
  importedGoal: {
    en: () => 'This conversation took place elsewhere. It is kept here to read and to continue.',
    zh: () => '这个会话发生在别处，保存在这里供阅读和继续。',
  },
  agentsGuide: {
    en: () =>
      'Speaks with agents of other systems by their address, agent://domain/agent-id. list_agents says which there are; send_to_agent writes to one; ask_for_action asks one for an action by name. The answer comes later, as a message.',
    zh: () =>
      '按地址 agent://域名/智能体标识 与其他系统的智能体交流。list_agents 列出可联系的智能体；send_to_agent 向其中一个发送消息；ask_for_action 按名称请其执行动作。回答稍后以消息形式到达。',
  },
  willNotAnswer: { en: () => 'This could not be answered.', zh: () => '这个问题无法回答。' },
  noSuchPeer: { en: () => 'its system is no longer configured', zh: () => '其所属系统已不在配置中' },
  notDelivered: { en: () => "it couldn't be delivered", zh: () => '无法送达' },
  unsentNoAddress: {
    en: () => 'no address set for its system, and no callback given',
    zh: () => '对方系统没有地址，也没有告知地址',
  },
  unsentNotConnected: {
    en: () => "no address set for its system, and it isn't connected",
    zh: () => '对方系统没有地址，也没有连接',
  },
  unsentNoWay: { en: () => 'no delivery route left', zh: () => '已无法发送' },
  unsentToBeFetched: { en: () => 'waiting to be fetched', zh: () => '等待对方来取' },
  unsentAnswered: {
    en: (d: { status: number; says: string }) => `it returned ${d.status}${d.says === '' ? '' : `: ${d.says}`}`,
    zh: (d: { status: number; says: string }) => `对方返回 ${d.status}${d.says === '' ? '' : `：${d.says}`}`,
  },
  unsentPrivate: {
    en: (d: { host: string }) => `not sent: ${d.host} is in a private network`,
    zh: (d: { host: string }) => `${d.host} 位于内网，不允许调用`,
  },
  unsentLate: {
    en: (d: { seconds: number }) => `timed out after ${d.seconds} s`,
    zh: (d: { seconds: number }) => `${d.seconds} 秒内没有响应`,
  },
  unsentNetwork: {
    en: (d: { says: string }) => `couldn't connect: ${d.says}`,
    zh: (d: { says: string }) => `无法连接：${d.says}`,
  },
  noLongerAllowed: {
    en: (d: { name: string; server: string }) => `${d.name} can no longer use ${d.server}`,
    zh: (d: { name: string; server: string }) => `${d.name} 不能再使用 ${d.server}`,
  },
  ended: { en: (d: { what: string }) => `${d.what} ended`, zh: (d: { what: string }) => `${d.what}已结束` },
  theStage: { en: () => 'the stage', zh: () => '该阶段' },
  thePart: { en: () => 'this part of the stage', zh: () => '该阶段中的这一部分' },
  noInstruction: { en: () => "its instruction couldn't be written", zh: () => '未能写出它的指令' },
  notCalled: {
    en: (d: { reason: string }) => `not called: ${d.reason}`,
    zh: (d: { reason: string }) => `未调用：${d.reason}`,
  },
  refusedBy: {
    en: (d: { who: string; why: string }) => `refused by ${d.who}: ${d.why}`,
    zh: (d: { who: string; why: string }) => `${d.who} 拒绝：${d.why}`,
  },
  argumentsChanged: { en: () => 'other arguments were written for the call', zh: () => '该调用的参数已改写' },
  editedBefore: {
    en: (d: { who: string; was: string }) => `${d.who} changed the arguments before it ran; they were ${d.was}`,
    zh: (d: { who: string; was: string }) => `运行前 ${d.who} 修改了参数；原参数为 ${d.was}`,
  },
  toolAsksNoMore: { en: () => 'the tool server withdrew its question', zh: () => '工具服务器撤回了询问' },
  callOver: { en: () => 'the call that asked has ended', zh: () => '发起询问的调用已结束' },
  callLost: {
    en: () => 'the call that asked was lost when the server stopped',
    zh: () => '程序停止时，发起询问的调用已中断',
  },
  messageTo: {
    en: (d: { names: string }) => `Message to ${d.names}`,
    zh: (d: { names: string }) => `发给 ${d.names} 的消息`,
  },
  sentTo: {
    en: (d: { names: string; text: string }) => `Sent to ${d.names}: ${d.text}`,
    zh: (d: { names: string; text: string }) => `已发送给 ${d.names}：${d.text}`,
  },
  noWaitForManager: {
    en: () => 'You manage a task, so you do not wait for this: the answer will come as a message.',
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
  retriedAlready: {
    en: () => 'another attempt at that stage has not ended yet',
    zh: () => '该阶段的另一次尝试还没有结束',
  },
  taskOver: { en: () => 'That task is over.', zh: () => '该任务已结束。' },
  baseStays: {
    en: () => 'BASE_TASK_STAYS: the base task and its stage stay as they are.',
    zh: () => 'BASE_TASK_STAYS：基础任务及其阶段保持不变。',
  },
  templateNamed: {
    en: (d: { name: string }) => `There is a template ${d.name} already.`,
    zh: (d: { name: string }) => `已有模板 ${d.name}。`,
  },
  choicesNeeded: {
    en: (d: { name: string }) => `The field ${d.name} needs at least one choice.`,
    zh: (d: { name: string }) => `字段 ${d.name} 至少需要一个选项。`,
  },
  valueUnfit: {
    en: (d: { field: string; why: 'missing' | 'choice' }) =>
      d.why === 'missing' ? `Fill in ${d.field}.` : `${d.field} is not one of the choices.`,
    zh: (d: { field: string; why: 'missing' | 'choice' }) =>
      d.why === 'missing' ? `请填写 ${d.field}。` : `${d.field} 不在选项之中。`,
  },
  tooMany: { en: (d: { n: number }) => `At most ${d.n} are possible.`, zh: (d: { n: number }) => `最多 ${d.n} 个。` },
  scheduleUnfit: {
    en: (d: { why: 'cron' | 'timeZone' | 'never' | 'often'; cron: string; timeZone: string }) =>
      ({
        cron: `${d.cron} is not a schedule of five fields: minute, hour, day, month, weekday.`,
        timeZone: `${d.timeZone} is not a time zone such as Europe/Berlin.`,
        never: `${d.cron} never comes.`,
        often: 'A request can be asked again once an hour at most.',
      })[d.why],
    zh: (d: { why: 'cron' | 'timeZone' | 'never' | 'often'; cron: string; timeZone: string }) =>
      ({
        cron: `${d.cron} 不是五个字段的时间表：分、时、日、月、星期。`,
        timeZone: `${d.timeZone} 不是时区名，例如 Asia/Shanghai。`,
        never: `${d.cron} 永远不会到来。`,
        often: '同一请求最多每小时提出一次。',
      })[d.why],
  },
  scheduleStopped: {
    en: (d: { who: string }) => `${d.who} can no longer send requests`,
    zh: (d: { who: string }) => `${d.who} 不能再提出请求`,
  },
  /** at: when it was due, ISO time. */
  askedLate: {
    en: (d: { at: string }) => `(Asked late: this was due at ${d.at}.)`,
    zh: (d: { at: string }) => `（提出晚了：原定时间是 ${d.at}。）`,
  },
  nameNeeded: { en: () => 'It needs a name.', zh: () => '需要名称。' },
  noStages: { en: () => 'The list of stages is empty.', zh: () => '阶段列表为空。' },
  emptyAllocation: {
    en: () => 'A stage needs at least one agent with a goal.',
    zh: () => '阶段至少需要一个有目标的智能体。',
  },
  needsNoPart: {
    en: (d: { names: string }) => `needs may only name agents of the same agent_allocation; not: ${d.names}.`,
    zh: (d: { names: string }) => `needs 只能写同一个 agent_allocation 里的智能体；不包括：${d.names}。`,
  },
  needsCircle: {
    en: () => 'needs goes in a circle: no part could begin.',
    zh: () => 'needs 形成了循环：没有部分能开始。',
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
    en: () => 'the server stopped while it ran; it was not repeated, because a repeat could do harm',
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
