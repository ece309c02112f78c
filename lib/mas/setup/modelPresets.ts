/** Common model servers: the values that the page fills in for each. config/examples/ has a team for each. */
import { PLAIN_MODEL } from './providers'
import type { ModelSetup } from './setupRecords'

type PlainModel = Omit<ModelSetup, 'key' | 'baseUrl' | 'model'>

export type ModelPreset = {
  id: string
  /** The name in the spelling of its provider. */
  name: string
  isLocal: boolean
  /** The usual variable of its key; null: it needs none. It is used for the preset's own address only. */
  variable: string | null
  setup: PlainModel & { baseUrl: string; model: string }
}

const CLOUD: PlainModel = { ...PLAIN_MODEL, accepts: [], contextTokens: 200_000 }
const LOCAL: PlainModel = { ...PLAIN_MODEL, accepts: [], contextTokens: 16_384, timeLimitMs: 600_000, parallel: 1 }

export const MODEL_PRESETS: readonly ModelPreset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    isLocal: false,
    variable: 'OPENAI_API_KEY',
    setup: {
      ...CLOUD,
      provider: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      model: 'gpt-5.4-mini',
      reasoningEffort: 'low',
      accepts: ['image'],
    },
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    isLocal: false,
    variable: 'ANTHROPIC_API_KEY',
    setup: {
      ...CLOUD,
      provider: 'anthropic',
      baseUrl: 'https://api.anthropic.com/v1',
      model: 'claude-haiku-5-5',
      contextTokens: 100_000,
      accepts: ['image'],
    },
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    isLocal: false,
    variable: 'GEMINI_API_KEY',
    setup: {
      ...CLOUD,
      provider: 'google',
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
      model: 'gemini-3.5-flash',
      reasoningEffort: 'low',
      accepts: ['image', 'audio'],
    },
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    isLocal: false,
    variable: 'DEEPSEEK_API_KEY',
    setup: {
      ...CLOUD,
      baseUrl: 'https://api.deepseek.com',
      model: 'deepseek-flash',
      form: 'tags',
      extra: { thinking: { type: 'disabled' } },
    },
  },
  {
    id: 'qwen',
    name: 'Qwen (DashScope)',
    isLocal: false,
    variable: 'DASHSCOPE_API_KEY',
    setup: {
      ...CLOUD,
      baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
      model: 'qwen-plus',
      contextTokens: 128_000,
      extra: { enable_thinking: false },
    },
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    isLocal: false,
    variable: 'OPENROUTER_API_KEY',
    setup: {
      ...CLOUD,
      baseUrl: 'https://openrouter.ai/api/v1',
      model: 'openai/gpt-5.4-mini',
      accepts: ['image'],
      extra: { reasoning: { effort: 'low' } },
      price: { input: 0.75, output: 4.5, cached: null },
    },
  },
  {
    id: 'ollama',
    name: 'Ollama',
    isLocal: true,
    variable: null,
    setup: { ...LOCAL, provider: 'ollama', baseUrl: 'http://127.0.0.1:11434', model: 'llama3.1', temperature: 0.2 },
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    isLocal: true,
    variable: null,
    setup: {
      ...LOCAL,
      baseUrl: 'http://127.0.0.1:1234/v1',
      model: 'openai/gpt-oss-20b',
      reasoningEffort: 'low',
      price: { input: 0, output: 0, cached: null },
    },
  },
  {
    id: 'vllm',
    name: 'vLLM',
    isLocal: true,
    variable: null,
    setup: {
      ...LOCAL,
      baseUrl: 'http://127.0.0.1:8000/v1',
      model: 'Qwen/Qwen3-14B',
      contextTokens: 32_768,
      form: 'schema',
      extra: { chat_template_kwargs: { enable_thinking: false } },
      timeLimitMs: 300_000,
      parallel: 16,
      price: { input: 0, output: 0, cached: null },
    },
  },
]
