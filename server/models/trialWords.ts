/** What is said of a model that was tried: what is wrong in plain words, and what to do next, in both languages. */

import { type ModelTrouble, STORED_KEY } from './model'

type TrialFacts = {
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
/** Its name is no variable: the key was typed into the page. */
const isStoredKey = (name: string | null): boolean => name?.startsWith(STORED_KEY) ?? false
const isOllama = ({ provider }: TrialFacts): boolean => provider === 'ollama'

const EN: Sentences = {
  hostUnknown: ({ host }) => ({
    says: `There is no host ${host}, or its name cannot be looked up from here.`,
    hint: 'Check the address (base_url) for a typo, and whether this machine is online.',
  }),
  connectionRefused: (facts) => ({
    says: `Nothing responds at ${facts.host}.`,
    hint: isOllama(facts)
      ? 'Start Ollama (`ollama serve`), or correct the address (base_url).'
      : 'Start the server, or correct the host and port in the address (base_url).',
  }),
  connectionBroke: ({ message }) => ({
    says: `${capital(message)}.`,
    hint: 'Try again; if it keeps happening, check for a proxy or firewall in between.',
  }),
  certificate: ({ message }) => ({
    says: `${capital(message)}: it does not speak TLS, or its certificate is not accepted.`,
    hint: 'Write http:// if the server speaks no TLS; for a certificate of your own, restart with NODE_EXTRA_CA_CERTS=<its file>.',
  }),
  privateAddress: ({ host }) => ({
    says: `${host} lies in a private network, and models added in the page are not called there.`,
    hint: 'Write server: { allow_private: true } into the configuration file to allow it, then start again.',
  }),
  noKey: ({ keyEnv, message }) => ({
    says: `The key is missing: ${message}.`,
    hint: isStoredKey(keyEnv)
      ? 'Type the key again.'
      : `Set the environment variable ${keyEnv ?? 'of key_env'} and restart.`,
  }),
  keyRefused: ({ host, keyEnv }) => ({
    says: keyEnv === null ? `${host} asks for a key.` : `${host} does not accept the key.`,
    hint:
      keyEnv === null
        ? 'Type a key, or put it into an environment variable and its name into key_env.'
        : isStoredKey(keyEnv)
          ? 'Type the key again: whole, not expired, for this server, and allowed to use this model.'
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
      ? 'The address (base_url) of Ollama is its host and port alone, such as http://127.0.0.1:11434.'
      : 'The address (base_url) ends before /chat/completions; with most servers that is …/v1.',
  }),
  requestRefused: ({ message }) => ({
    says: `The server rejects the request: ${message}.`,
    hint: "Often a setting that this model doesn't accept: remove temperature, or lower context_tokens.",
  }),
  outOfCredit: ({ host }) => ({
    says: `The account at ${host} has no credit left.`,
    hint: 'Top it up or raise its limit at the provider; waiting does not help.',
  }),
  tooMany: ({ host }) => ({
    says: `Too many requests to ${host} right now.`,
    hint: 'Wait a minute and try again; if it keeps happening, lower parallel.',
  }),
  serverBroken: ({ host, message }) => ({
    says: `${host} reports an internal error: ${message}.`,
    hint: 'Try again later, and check the log of that server.',
  }),
  timeLimit: (facts) => ({
    says: `${facts.host} took too long: ${facts.message}.`,
    hint: isOllama(facts)
      ? 'The first call loads the model and may be slow: try again, or raise time_limit_s.'
      : 'Try again, or raise time_limit_s.',
  }),
  wrongFormat: ({ host, provider }) => ({
    says: `The response from ${host} isn't in the format of provider ${provider}.`,
    hint: 'Check provider (openai or ollama) and the address (base_url); the address may belong to a login page or another program.',
  }),
  cut: ({ host }) => ({
    says: `The response from ${host} was cut off.`,
    hint: 'Try again; if it keeps happening, check for a proxy in between that cuts off long responses.',
  }),
}

const ZH: Sentences = {
  hostUnknown: ({ host }) => ({
    says: `没有 ${host} 这台主机，或从这里查不到它的名字。`,
    hint: '检查地址（base_url）有没有写错，以及本机是否联网。',
  }),
  connectionRefused: (facts) => ({
    says: `${facts.host} 没有服务在响应。`,
    hint: isOllama(facts)
      ? '启动 Ollama（`ollama serve`），或改正地址（base_url）。'
      : '启动该服务器，或改正地址（base_url）的主机和端口。',
  }),
  connectionBroke: ({ host, message }) => ({
    says: `与 ${host} 的连接中断：${message}。`,
    hint: '再试一次；若一直如此，检查中间的代理或防火墙。',
  }),
  certificate: ({ host, message }) => ({
    says: `无法与 ${host} 建立安全连接：它不支持 TLS，或证书不被接受（${message}）。`,
    hint: '服务器没有 TLS 时请写 http://；自有证书请用 NODE_EXTRA_CA_CERTS=<证书文件> 启动。',
  }),
  privateAddress: ({ host }) => ({
    says: `${host} 在内部网络中，页面上添加的模型不能调用那里。`,
    hint: '如需允许，请在配置文件中写 server: { allow_private: true }，然后重新启动。',
  }),
  noKey: ({ keyEnv, message }) => ({
    says: `缺少密钥：${message}。`,
    hint: isStoredKey(keyEnv)
      ? '请重新输入密钥。'
      : `启动前设置环境变量 ${keyEnv ?? '（key_env 所写）'}，然后重新启动。`,
  }),
  keyRefused: ({ host, keyEnv }) => ({
    says: keyEnv === null ? `${host} 要求密钥。` : `${host} 不接受这个密钥。`,
    hint:
      keyEnv === null
        ? '输入密钥，或把密钥放进环境变量，并把变量名写在 key_env。'
        : isStoredKey(keyEnv)
          ? '请重新输入密钥：是否完整、未过期、属于该服务器，并有权使用该模型。'
          : `检查 ${keyEnv} 的值：是否完整、未过期、属于该服务器，并有权使用该模型。`,
  }),
  modelUnknown: (facts) => ({
    says: `${facts.host} 没有名为 ${facts.model} 的模型。`,
    hint: isOllama(facts)
      ? `运行 \`ollama pull ${facts.model}\`，或从 \`ollama list\` 中选一个。`
      : '检查 model 的名字；也可能是密钥无权使用它。',
  }),
  addressWrong: (facts) => ({
    says: `${facts.host} 有响应，但路径不对（${facts.message}）。`,
    hint: isOllama(facts)
      ? 'Ollama 的地址（base_url）只写主机和端口，如 http://127.0.0.1:11434。'
      : '地址（base_url）写到 /chat/completions 之前；多数服务器是 …/v1。',
  }),
  requestRefused: ({ message }) => ({
    says: `服务器拒绝了这个请求：${message}。`,
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
    says: `${host} 的响应不是 ${provider} 的格式。`,
    hint: '检查 provider（openai 或 ollama）和地址（base_url）；那里可能是登录页或别的程序。',
  }),
  cut: ({ host }) => ({
    says: `${host} 的回答没有结束就中断了。`,
    hint: '再试一次；若一直如此，检查中间是否有会截断长回答的代理。',
  }),
}

const OTHERS = {
  en: {
    works: (name: string, ms: number) => `${name} works; the first token came after ${ms} ms.`,
    rehearsal:
      "A built-in program simulates the agents. It isn't a language model, so there is no server to connect to.",
    recording: (count: number) => `${count} recorded calls can be replayed.`,
    person: 'Every call goes to a person.',
    other: (message: string) => ({
      says: `The model can't be used: ${message}.`,
      hint: 'Fix this in the configuration, then restart.',
    }),
  },
  zh: {
    works: (name: string, ms: number) => `${name} 可用，${ms} 毫秒后收到第一个 token。`,
    rehearsal: '智能体由内置程序模拟；它不是语言模型，不需要连接服务器。',
    recording: (count: number) => `有 ${count} 次录制的调用可以回放。`,
    person: '每次调用都交给一个人。',
    other: (message: string) => ({
      says: `这个模型无法使用：${message}。`,
      hint: '按提示修改配置，然后重新启动。',
    }),
  },
}

/** Why a model cannot be used, and what to do about it. */
export const troubleWords = (trouble: ModelTrouble, facts: TrialFacts, language: Language): Words =>
  (language === 'zh' ? ZH : EN)[trouble](facts)

/** The sentences of a trial that are no trouble. */
export const trialWords = (language: Language): (typeof OTHERS)['en'] => OTHERS[language]
