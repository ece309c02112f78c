/** The front door of server/tools: the pool of MCP servers. Everything else here is its inside. */
export { abilitiesList } from './abilitiesList'
export { type Checked, checkArguments, checkForm } from './checkArguments'
export { openToolPool } from './pool'
export { CALL_OVER } from './runCall'
export { type TriedServer, tryServer } from './tryServer'
export type {
  CallOptions,
  ConfirmRule,
  DescribeOutcome,
  OAuthSettings,
  PromptInfo,
  QuestionAnswer,
  ResourceInfo,
  SamplingAnswer,
  SamplingRule,
  SamplingWish,
  ServerAsks,
  ServerDescription,
  ServerQuestion,
  ServerState,
  ServerStatus,
  SignInDesk,
  ToolCall,
  ToolContent,
  ToolFault,
  ToolFaultCode,
  ToolInfo,
  ToolLog,
  ToolOutcome,
  ToolPool,
  ToolPoolOptions,
  ToolProgress,
  ToolResult,
  ToolServerConfig,
} from './types'
