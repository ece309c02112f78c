/** The sentences of the faults in Chinese, one for each code; a new code does not compile before it has one. */

import type { FaultCode, FaultData } from './index'

type Sentences = { [Code in FaultCode]: (data: FaultData<Code>) => string }

export const FAULTS_ZH: Sentences = {
  NOT_SIGNED_IN: () => '你还没有登录。',
  SIGN_IN_FAILED: () => 'ID 与密码不匹配。',
  LINK_USED: () => '这个登录链接已用过或已过期，请再要一个。',
  NOT_ALLOWED: () => '你没有这样做的权限。',
  NOT_YOU: () => 'human_agent_id 不是本次会话的成员。',
  FOREIGN_ORIGIN: ({ origin }) => `不接受来自 ${origin} 的请求。`,
  NOT_FOUND: ({ id }) => `没有找到 ${id}。`,
  NO_RECEIVERS: () => '接收者列表为空。',
  NOT_A_MEMBER: ({ name, task }) => `${name} 不在任务 ${task} 里。`,
  RECEIVER_UNKNOWN: ({ id }) => `没有智能体或成员 ${id}。`,
  RECEIVER_GONE: ({ name }) => `${name} 已被移除，不能再接收消息。`,
  EMPTY_TEXT: () => '没有可发送的内容。',
  TOO_LARGE: ({ size, limit }) => `内容太大：${size}，上限是 ${limit}。`,
  BAD_INPUT: ({ why }) => `输入有误：${why}`,
  BAD_ARGUMENTS: ({ why }) => `参数不符合工具的要求：${why}`,
  TASK_OVER: ({ task }) => `任务 ${task} 已结束，内容都可以查看。`,
  NOT_AT_REST: ({ id }) => `${id} 仍有动静，暂不归档。`,
  BASE_TASK_STAYS: () => '基础任务一直保留：它和它的阶段都不能结束。',
  NOT_MANAGER: ({ name, task }) => `${name} 不是任务 ${task} 的管理者。`,
  STAGE_OVER: () => '该阶段已结束。',
  STEP_OVER: () => '该步骤已结束。',
  STEP_NOT_NEXT: () => '还有别的步骤在前面。',
  AGENT_WAITS: ({ name }) => `${name} 在等待，不会运行。`,
  REQUEST_OVER: ({ by }) => `${by} 比你先处理了这个请求。`,
  NOT_ASKED: () => '这个请求不是向你提出的。',
  DECISION_UNFIT: ({ decision, kind }) => `${decision} 不能作为 ${kind} 类请求的回答。`,
  REASON_MISSING: () => '请用一句话说明理由。',
  DIGEST_CHANGED: () => '将要运行的内容与你看到的不同，请再看一遍。',
  NOTHING_TO_UNDO: () => '没有可以撤回的。',
  EXPIRED: () => '来得太晚，没有执行。请再发一次。',
  TOO_MANY: ({ seconds }) => `尝试次数太多，请在 ${seconds} 秒后再试。`,
  STORE_BROKEN: () => '存储无法写入，什么都没有改变。',
  STOPPING: () => '服务器正在停止。',
  INTERNAL: () => '这里出了问题，已记录。',
  JOURNAL_GAP: ({ have, got }) => `位于 ${have}，收到 ${got}`,
}
