/** The pool of MCP servers; the only file of this folder that others import. */
export { abilitiesList, capabilitiesList } from './abilitiesList'
export { agentsServer, type OutsideAnswer, type PeerAgents } from './agentsServer'
export { checkArguments, checkForm } from './checkArguments'
export { pathsNamedIn } from './hiddenPaths'
export { openToolPool } from './pool'
export { prepareCall } from './prepareCall'
export { CALL_OVER } from './runCall'
export { type SignInKeeping, signInFiles } from './signIn'
export { tryServer } from './tryServer'
export type {
  ChangingPool,
  QuestionAnswer,
  SamplingAnswer,
  SamplingRequest,
  ServerQuestion,
  ServerRequestHandlers,
  ServerStatus,
  SignInFlow,
  ToolCall,
  ToolCaller,
  ToolCallOptions,
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
  ToolServerState,
} from './types'
