/** The pool of MCP servers; the only file of this folder that others import. */
export { abilitiesList } from './abilitiesList'
export { agentsServer, type OutsideAnswer, type PeerAgents } from './agentsServer'
export { capabilitiesList } from './capabilitiesList'
export { type Checked, checkArguments, checkForm } from './checkArguments'
export { pathsNamedIn } from './hiddenPaths'
export { openToolPool } from './pool'
export { prepareCall } from './prepareCall'
export { CALL_OVER } from './runCall'
export { type SignInKeeping, signInFiles } from './signIn'
export { type TriedServer, tryServer } from './tryServer'
export type {
  ChangingPool,
  DescribeOutcome,
  PromptInfo,
  QuestionAnswer,
  ResourceInfo,
  SamplingAnswer,
  SamplingRequest,
  ServerDescription,
  ServerQuestion,
  ServerRequestHandlers,
  ServerStatus,
  SignInFlow,
  ToolCall,
  ToolCaller,
  ToolCallOptions,
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
  ToolServerState,
} from './types'
