/** The front door of server/tools: the pool of MCP servers. Everything else here is its inside. */
export { abilitiesList } from './abilitiesList'
export { AGENTS_SERVER, type PeerAgents, agentsServer, type OutsideAnswer } from './agentsServer'
export { type Checked, checkArguments, checkForm } from './checkArguments'
export { openToolPool } from './pool'
export { CALL_OVER } from './runCall'
export { type TriedServer, tryServer } from './tryServer'
export type {
  ToolCallOptions,
  ConfirmRule,
  DescribeOutcome,
  OAuthSettings,
  PromptInfo,
  QuestionAnswer,
  ResourceInfo,
  SamplingAnswer,
  SamplingRule,
  SamplingRequest,
  ServerRequestHandlers,
  ServerDescription,
  ServerQuestion,
  ToolServerState,
  ServerStatus,
  SignInFlow,
  ToolCall,
  ToolCaller,
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
