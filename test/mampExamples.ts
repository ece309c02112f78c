/** The JSON examples of the protocol's own document, as they stand there. */

/** Of a message's content. */
export const EXAMPLE_PARTS = `{
"content": [
{
"type": "text",
"text": "这是文本内容"
},
{
"type": "image",
"source": {
"type": "url",
"url": "https://...",
"media_type": "image/png"
}
},
{
"type": "image",
"source": {
"type": "base64",
"media_type": "image/jpeg",
"data": "base64..."
}
},
{
"type": "code",
"language": "python",
"code": "def hello(): pass"
},
{
"type": "file",
"name": "report.pdf",
"mime_type": "application/pdf",
"source": {
"type": "url",
"url": "https://..."
}
}
]
}`

/** The whole message; `[...]` stands for parts, and is the one thing in it that is no JSON. */
export const EXAMPLE_MESSAGE = `{
"protocol": "mamp/1.0",
"message_id": "msg-uuid-123",
"conversation_id": "conv-uuid-456",
"from": "agent://your-domain.com/agent-123",
"to": "agent://other-domain.com/agent-456",
"content": [...],
"metadata": {
"timestamp": "2026-03-04T10:00:00Z"
}
}`

export const EXAMPLE_TEXT = `{
"content": "纯文本消息"
}`
export const SAME_TEXT = `{
"content": [{"type": "text", "text": "纯文本消息"}]
}`

export const EXAMPLE_CARD = `{
"protocol": "mamp/1.0",
"agent_id": "agent://your-domain.com/agent-123",
"name": "Code Analyst",
"description": "专注于代码分析的 Agent",
"owner": {
"user_id": "user-789",
"user_name": "张三",
"organization": "YourCompany"
},
"device": {
"device_id": "device-mac-001",
"device_name": "MacBook Pro",
"location": "Beijing Office",
"platform": "darwin"
},
"capabilities": {
"content_types": ["text", "image", "code"],
"max_message_size": 10485760,
"streaming": true,
"async": true,
"tools": ["code_analysis", "file_read", "web_search"]
},
"access": {
"public": false,
"allowed_agents": ["agent://trusted.com/*"],
"require_auth": true
}
}`

export const EXAMPLE_RECEIVED = `{
"conversation_id": "conv-abc-123",
"message_id": "msg-xyz-456",
"status": "received"
}`

export const EXAMPLE_REFUSED = `{
"error": "conversation_not_found",
"message": "Conversation conv-xxx not found",
"status_code": 404
}`

/** What the document lists as addresses. */
export const EXAMPLE_URIS = [
  'agent://your-domain.com/trace-123',
  'agent://claude.ai/session-456',
  'agent://openai.com/assistant-789',
]
