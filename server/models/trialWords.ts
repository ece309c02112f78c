/** What is said of a model that was tried: what is wrong in plain words, and what to do next, in both languages. */

import type { ModelTrouble } from './model'

export type TrialFacts = {
  name: string
  provider: string
  /** As the server knows the model. */
  model: string
  /** Host and port. */
  host: string
  keyEnv: string | null
  /** The fault's own sentence. */
  message: string
}

type Words = { says: string; hint: string }
type Language = 'en' | 'zh'
type Sentences = { [Name in ModelTrouble]: (facts: TrialFacts) => Words }

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const isOllama = ({ provider }: TrialFacts): boolean => provider === 'ollama'

const EN: Sentences = {
  hostUnknown: ({ host }) => ({
    says: `There is no host ${host}, or its name cannot be looked up from here.`,
    hint: 'Check base_url for a slip of the pen, and whether this machine is online.',
  }),
  connectionRefused: (facts) => ({
    says: `Nothing answers at ${facts.host}.`,
    hint: isOllama(facts)
      ? 'Start Ollama (`ollama serve`), or correct base_url.'
      : 'Start the server, or correct the host and port in base_url.',
  }),
  connectionBroke: ({ message }) => ({
    says: `${capital(message)}.`,
    hint: 'Try again; if it stays, look for a proxy or firewall in between.',
  }),
  certificate: ({ message }) => ({
    says: `${capital(message)}: it does not speak TLS, or its certificate is not accepted.`,
    hint: 'Write http:// if the server speaks no TLS; for a certificate of your own, start with NODE_EXTRA_CA_CERTS=<its file>.',
  }),
  noKey: ({ keyEnv, message }) => ({
    says: `The key is missing: ${message}.`,
    hint: `Set the environment variable ${keyEnv ?? 'of key_env'} before the start, then start again.`,
  }),
  keyRefused: ({ host, keyEnv }) => ({
    says: keyEnv === null ? `${host} asks for a key.` : `${host} does not accept the key.`,
    hint:
      keyEnv === null
        ? 'Put the key into an environment variable, and its name into key_env.'
        : `Check the value of ${keyEnv}: whole, not expired, for this server, and allowed to use this model.`,
  }),
  modelUnknown: (facts) => ({
    says: `${facts.host} has no model called ${facts.model}.`,
    hint: isOllama(facts)
      ? `Run \`ollama pull ${facts.model}\`, or choose one that \`ollama list\` shows.`
      : 'Check the name under model; the key may also lack the right to use it.',
  }),
  addressWrong: (facts) => ({
    says: `${facts.host} answers, but not at this path (${facts.message}).`,
    hint: isOllama(facts)
      ? 'base_url of Ollama is its host and port alone, such as http://127.0.0.1:11434.'
      : 'base_url ends before /chat/completions; with most servers that is …/v1.',
  }),
  requestRefused: ({ message }) => ({
    says: `The server refuses the question: ${message}.`,
    hint: 'Often a setting that this model does not take: leave temperature out, or make context_tokens smaller.',
  }),
  outOfCredit: ({ host }) => ({
    says: `The account at ${host} has no credit left.`,
    hint: 'Top it up or raise its limit at the provider; waiting does not help.',
  }),
  tooMany: ({ host }) => ({
    says: `${host} is asked too often right now.`,
    hint: 'Wait a minute and try again; if it stays, make parallel smaller.',
  }),
  serverBroken: ({ host, message }) => ({
    says: `${host} has a fault of its own: ${message}.`,
    hint: 'Try again later, and look at the log of that server.',
  }),
  timeLimit: (facts) => ({
    says: `${facts.host} took too long: ${facts.message}.`,
    hint: isOllama(facts)
      ? 'The first call loads the model and may be slow: try again, or raise time_limit_s.'
      : 'Try again, or raise time_limit_s.',
  }),
  wrongFormat: ({ host, provider }) => ({
    says: `What answers at ${host} does not speak as provider ${provider} does.`,
    hint: 'Check provider (openai or ollama) and base_url; a login page or another program may stand there.',
  }),
  cut: ({ host }) => ({
    says: `The answer of ${host} broke off before its end.`,
    hint: 'Try again; if it stays, look for a proxy in between that ends long answers.',
  }),
}

const ZH: Sentences = {
  hostUnknown: ({ host }) => ({
    says: `没有 ${host} 这台主机，或从这里查不到它的名字。`,
    hint: '检查 base_url 有没有写错，以及本机是否联网。',
  }),
  connectionRefused: (facts) => ({
    says: `${facts.host} 没有服务在应答。`,
    hint: isOllama(facts)
      ? '启动 Ollama（`ollama serve`），或改正 base_url。'
      : '启动该服务器，或改正 base_url 的主机和端口。',
  }),
  connectionBroke: ({ host, message }) => ({
    says: `与 ${host} 的连接中断：${message}。`,
    hint: '再试一次；若一直如此，检查中间的代理或防火墙。',
  }),
  certificate: ({ host, message }) => ({
    says: `无法与 ${host} 建立安全连接：它不支持 TLS，或证书不被接受（${message}）。`,
    hint: '服务器没有 TLS 时请写 http://；自有证书请用 NODE_EXTRA_CA_CERTS=<证书文件> 启动。',
  }),
  noKey: ({ keyEnv, message }) => ({
    says: `缺少密钥：${message}。`,
    hint: `启动前设置环境变量 ${keyEnv ?? '（key_env 所写）'}，然后重新启动。`,
  }),
  keyRefused: ({ host, keyEnv }) => ({
    says: keyEnv === null ? `${host} 要求密钥。` : `${host} 不接受这个密钥。`,
    hint:
      keyEnv === null
        ? '把密钥放进环境变量，并把变量名写在 key_env。'
        : `检查 ${keyEnv} 的值：是否完整、未过期、属于该服务器，并有权使用该模型。`,
  }),
  modelUnknown: (facts) => ({
    says: `${facts.host} 没有名为 ${facts.model} 的模型。`,
    hint: isOllama(facts)
      ? `运行 \`ollama pull ${facts.model}\`，或从 \`ollama list\` 中选一个。`
      : '检查 model 的名字；也可能是密钥无权使用它。',
  }),
  addressWrong: (facts) => ({
    says: `${facts.host} 有应答，但路径不对（${facts.message}）。`,
    hint: isOllama(facts)
      ? 'Ollama 的 base_url 只写主机和端口，如 http://127.0.0.1:11434。'
      : 'base_url 写到 /chat/completions 之前；多数服务器是 …/v1。',
  }),
  requestRefused: ({ message }) => ({
    says: `服务器拒绝了这个问题：${message}。`,
    hint: '常见原因是模型不接受某项设置：去掉 temperature，或把 context_tokens 改小。',
  }),
  outOfCredit: ({ host }) => ({
    says: `${host} 的账户已没有余额。`,
    hint: '在服务商处充值或提高限额；等待没有用。',
  }),
  tooMany: ({ host }) => ({
    says: `${host} 目前请求太多。`,
    hint: '等一分钟再试；若一直如此，把 parallel 改小。',
  }),
  serverBroken: ({ host, message }) => ({
    says: `${host} 自身出错：${message}。`,
    hint: '稍后再试，并查看该服务器的日志。',
  }),
  timeLimit: (facts) => ({
    says: `${facts.host} 用时太久：${facts.message}。`,
    hint: isOllama(facts)
      ? '首次调用要载入模型，可能较慢：再试一次，或提高 time_limit_s。'
      : '再试一次，或提高 time_limit_s。',
  }),
  wrongFormat: ({ host, provider }) => ({
    says: `${host} 的应答不是 ${provider} 的格式。`,
    hint: '检查 provider（openai 或 ollama）和 base_url；那里可能是登录页或别的程序。',
  }),
  cut: ({ host }) => ({
    says: `${host} 的回答没有结束就中断了。`,
    hint: '再试一次；若一直如此，检查中间是否有会截断长回答的代理。',
  }),
}

const OTHERS = {
  en: {
    works: (name: string, ms: number) => `${name} answers, the first token after ${ms} ms.`,
    rehearsal: 'A built-in program plays the agents; it is no language model, and there is nothing to reach.',
    recording: (count: number) => `${count} recorded calls can be played.`,
    person: 'Every call goes to a person.',
    other: (message: string) => ({
      says: `The model cannot be used: ${message}.`,
      hint: 'Mend what it says in the configuration, then start again.',
    }),
  },
  zh: {
    works: (name: string, ms: number) => `${name} 可用，${ms} 毫秒后收到第一个 token。`,
    rehearsal: '由内置程序扮演智能体；它不是语言模型，没有需要连接的服务器。',
    recording: (count: number) => `有 ${count} 次录制的调用可以回放。`,
    person: '每次调用都交给一个人。',
    other: (message: string) => ({
      says: `这个模型无法使用：${message}。`,
      hint: '按提示修改配置，然后重新启动。',
    }),
  },
}

export const troubleWords = (trouble: ModelTrouble, facts: TrialFacts, language: Language): Words =>
  (language === 'zh' ? ZH : EN)[trouble](facts)

export const trialWords = (language: Language): (typeof OTHERS)['en'] => OTHERS[language]
