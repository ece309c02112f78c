/** The pool of MCP servers; the only file of this folder that others import. */

export { checkArguments, checkForm } from './calls/checkArguments'
export { pathsNamedIn } from './calls/hiddenPaths'
export { prepareCall } from './calls/prepareCall'
export { CALL_OVER } from './calls/runCall'
export { unreadInWords } from './foreign/unread'
export { abilitiesList, capabilitiesList, isCurrentTool } from './servers/abilitiesList'
export { agentsServer, type OutsideAnswer, type PeerAgents } from './servers/agentsServer'
export { openToolPool } from './servers/pool'
export { type SignInKeeping, signInFiles } from './servers/signIn'
export { tryServer } from './servers/tryServer'
export { toolDefinition } from './toolDefinition'
export type {
  CallAnswers,
  ChangingPool,
  InputRequired,
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
