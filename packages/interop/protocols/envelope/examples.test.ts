/** The examples of the protocol's own document, as they stand there: fragments that every envelope's head completes. */
import { expect, it } from 'vitest'
import { readEnvelope } from './envelope'

const WHOLE = `{
  "protocol_version": "1.0",
  "message_id": "uuid-v4-string",
  "timestamp": "ISO 8601 datetime string",
  "sender_id": "agent-id-string",
  "receiver_id": "agent-id-string" | "broadcast",
  "message_type": "string (例如, 'request', 'response', 'event', 'error')",
  "payload": {
    // 根据 message_type 变化
  },
  "metadata": {
    // 可选: 额外的上下文或路由信息
  }
}`
const FRAGMENTS = {
  request: `{
  "message_type": "request",
  "payload": {
    "action": "string (例如, '处理数据', '获取状态', '执行任务')",
    "parameters": {
      // 针对特定操作的键值对参数
    }
  }
}`,
  response: `{
  "message_type": "response",
  "payload": {
    "status": "string (例如, '成功', '失败', '进行中')",
    "result": {
      // 请求操作返回的数据
    },
    "error": {
      // 如果状态为 '失败'，则包含错误详情
    }
  },
  "metadata": {
    "correlation_id": "原始请求消息ID"
  }
}`,
  event: `{
  "message_type": "event",
  "payload": {
    "event_name": "string (例如, '数据已处理', '智能体在线', '任务完成')",
    "event_data": {
      // 与事件相关的数据
    }
  }
}`,
  error: `{
  "message_type": "error",
  "payload": {
    "code": "string (例如, '无效负载', '智能体不可用', '处理失败')",
    "message": "string (人类可读的错误描述)",
    "details": {
      // 可选: 额外的错误上下文
    }
  },
  "metadata": {
    "correlation_id": "原始请求消息ID" // 如果此错误是对请求的响应
  }
}`,
}

const head = {
  protocol_version: '1.0',
  message_id: 'm-1',
  timestamp: '2026-11-21T10:00:00Z',
  sender_id: 'planner',
  receiver_id: 'broadcast',
}
const withoutComments = (text: string): string => text.replace(/\/\/.*$/gm, '')

it.each(Object.entries(FRAGMENTS))('A-01 the document’s %s is read as it is', (type, text) => {
  const fragment: object = JSON.parse(withoutComments(text))
  expect(readEnvelope({ ...head, ...fragment })).toMatchObject({ envelope: { message_type: type, ...fragment } })
})

it('A-01 the document’s skeleton, which is no message, is refused by name of what is wrong', () => {
  const skeleton = JSON.parse(withoutComments(WHOLE).replace(' | "broadcast"', ''))
  expect(readEnvelope(skeleton)).toMatchObject({
    unreadable: { code: 'unknown_message_type', messageId: 'uuid-v4-string' },
  })
  expect(readEnvelope({ ...skeleton, message_type: 'request' })).toMatchObject({
    unreadable: { code: 'invalid_envelope', message: expect.stringMatching(/timestamp: .*payload\.action: /) },
  })
})
