/** What is said of a tool server that was tried, in both languages. */
import type { Language } from '@/lib/mas/records'
import { SIGN_IN_NEEDED } from './serverLink'
import type { ToolServerConfig } from './types'

type Trouble = 'signIn' | 'noKey' | 'address' | 'noCommand' | 'silent' | 'ended'
type Counts = { tools: number; resources: number; prompts: number; asked: number }

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

const SENTENCES = {
  en: {
    answers: (name: string, { tools, resources, prompts, asked }: Counts) => {
      const parts = [
        counted(tools, 'tool'),
        ...(resources > 0 ? [counted(resources, 'resource')] : []),
        ...(prompts > 0 ? [counted(prompts, 'prompt')] : []),
      ]
      return `${name} is connected: ${parts.join(', ')}; ${asked} of the tools ask a person first.`
    },
    /** The fault says in English what it is. */
    says: (_trouble: Trouble, _config: ToolServerConfig, message: string) => message,
    hints: {
      signIn: () => 'Sign in as an operator: Settings, Models and tools, Sign in.',
      noKey: ({ name }: ToolServerConfig) =>
        `Give it a key (headers: { Authorization: "Bearer \${env:NAME}" }) or an oauth block under tools.${name}.`,
      address: ({ baseurl }: ToolServerConfig) =>
        `Is ${baseurl} its address, with the path, and does it run? Try it with curl from this machine.`,
      noCommand: ({ command }: ToolServerConfig) => `Install ${command ?? 'the command'}, or enter its full path.`,
      silent: () => 'It started but sent nothing. Does it use MCP on standard output?',
      ended: () => 'Run the same command in a terminal: its output shows the reason.',
    },
  },
  zh: {
    answers: (name: string, { tools, resources, prompts, asked }: Counts) => {
      const parts = [
        `${tools} 个工具`,
        ...(resources > 0 ? [`${resources} 个资源`] : []),
        ...(prompts > 0 ? [`${prompts} 个提示`] : []),
      ]
      return `${name} 已连接：${parts.join('、')}；其中 ${asked} 个工具在调用前会先问人。`
    },
    says: (trouble: Trouble, { name, command, baseurl }: ToolServerConfig, message: string) => {
      switch (trouble) {
        case 'signIn':
          return `${name} 需要先登录。`
        case 'noKey':
          return `${name} 要求授权，但没有配置密钥。`
        case 'address':
          return `无法连接 ${name}（${baseurl}）。原始信息：${message}`
        case 'noCommand':
          return `无法启动 ${name}：找不到命令 ${command ?? ''}。`
        case 'silent':
          return `${name} 在规定时间内没有响应。`
        case 'ended':
          return `无法连接 ${name}。原始信息：${message}`
      }
    },
    hints: {
      signIn: () => '请以操作员身份登录：设置，模型与工具，登录。',
      noKey: ({ name }: ToolServerConfig) =>
        `在 tools.${name} 下给它一个密钥（headers: { Authorization: "Bearer \${env:NAME}" }），或写一个 oauth 段。`,
      address: ({ baseurl }: ToolServerConfig) =>
        `${baseurl} 是它的地址（含路径）吗，它在运行吗？请在本机用 curl 试一下。`,
      noCommand: ({ command }: ToolServerConfig) => `请安装 ${command ?? '该命令'}，或写出它的完整路径。`,
      silent: () => '它已启动，但没有输出。它是否在标准输出上使用 MCP？',
      ended: () => '请在终端里启动同一个命令：那里显示的就是原因。',
    },
  },
}

/** A server that answered, in one sentence. */
export const sayAnswers = (language: Language, name: string, counts: Counts): string =>
  SENTENCES[language].answers(name, counts)

/** What is wrong, and what a person can do. message: the fault's own sentence. */
export function sayTrouble(
  language: Language,
  config: ToolServerConfig,
  message: string,
): { words: string; hint: string } {
  const trouble = troubleOf(config, message)
  const { says, hints } = SENTENCES[language]
  return { words: says(trouble, config, message), hint: hints[trouble](config) }
}

function troubleOf(config: ToolServerConfig, message: string): Trouble {
  if (message.includes(SIGN_IN_NEEDED)) return 'signIn'
  if (/asks for authorization|401|403/.test(message)) return 'noKey'
  if (config.baseurl !== undefined) return 'address'
  if (/was not found/.test(message)) return 'noCommand'
  return /within/.test(message) ? 'silent' : 'ended'
}
