/** The front door of server/tools: the pool of MCP servers. Everything else here is its inside. */
export { abilitiesList } from './abilitiesList'
export { type Checked, checkArguments } from './checkArguments'
export { openToolPool } from './pool'
export type {
  ConfirmRule,
  DescribeOutcome,
  PromptInfo,
  ResourceInfo,
  ServerDescription,
  ServerState,
  ServerStatus,
  ToolCall,
  ToolContent,
  ToolFault,
  ToolFaultCode,
  ToolInfo,
  ToolLog,
  ToolOutcome,
  ToolPool,
  ToolPoolOptions,
  ToolResult,
  ToolServerConfig,
} from './types'
