/** Adds the MCP server by which programs act for people. */
import { register } from '@/server/register'
import { openMcpServer } from './mcpServer'

register({ name: 'mcp-server', mcpServer: openMcpServer })
