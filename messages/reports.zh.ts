/** What the program says outside the page, in Chinese; see reports.en.ts. */
import type { Translated } from './program.en'
import type {
  CHANNEL_TRIAL_EN,
  DOCTOR_EN,
  EXPORT_EN,
  MODEL_TRIAL_EN,
  NOTIFICATIONS_EN,
  TOOL_TRIAL_EN,
  UNREAD_EN,
} from './reports.en'

export const MODEL_TRIAL_ZH: Translated<typeof MODEL_TRIAL_EN> = {
  said: '{sentence}它的说明：“{said}”',
  works: '{name} 已回答，{ms} 毫秒后收到第一个 token。',
  rehearsal: '智能体由内置程序模拟；它不是语言模型，不需要连接服务器。',
  recording: '有 {count} 次录制的调用可以回放。',
  person: '每次调用都交给一个人。',
  other: '这个模型无法使用：{message}。',
  otherHint: '按提示修改配置，然后重新启动。',
  hostUnknown: '没有 {host} 这台主机，或从这里查不到它的名字。',
  hostUnknownHint: '检查地址（base_url）有没有写错，以及本机是否联网。',
  connectionRefused: '{host} 没有服务在响应。',
  connectionRefusedHint: '启动该服务器，或改正地址（base_url）的主机和端口。',
  connectionRefusedHintOllama: '启动 Ollama（`ollama serve`），或改正地址（base_url）。',
  connectionBroke: '与 {host} 的连接中断：{message}。',
  connectionBrokeHint: '再试一次；若一直如此，检查中间的代理或防火墙。',
  certificate: '无法与 {host} 建立安全连接：它不支持 TLS，或证书不被接受（{message}）。',
  certificateHint: '服务器没有 TLS 时请写 http://；自有证书请用 NODE_EXTRA_CA_CERTS=<证书文件> 启动。',
  privateAddress: '{host} 在内部网络中，页面上添加的模型不能调用那里。',
  privateAddressHint: '如需允许，请在配置文件中写 server: { allow_private: true }，然后重新启动。',
  noKey: '缺少密钥：{message}。',
  noKeyHint: '启动前设置环境变量 {keyEnv}，然后重新启动。',
  noKeyHintStored: '请重新输入密钥。',
  keyRefused: '{host} 不接受这个密钥。',
  keyRefusedHint: '检查 {keyEnv} 的值：是否完整、未过期、属于该服务器，并有权使用该模型。',
  keyRefusedHintStored: '请重新输入密钥：是否完整、未过期、属于该服务器，并有权使用该模型。',
  keyAsked: '{host} 要求密钥。',
  keyAskedHint: '输入密钥，或把密钥放进环境变量，并把变量名写在 key_env。',
  modelUnknown: '{host} 没有名为 {model} 的模型。',
  modelUnknownHint: '检查 model 的名字；也可能是密钥无权使用它。',
  modelUnknownHintOllama: '运行 `ollama pull {model}`，或从 `ollama list` 中选一个。',
  addressWrong: '{host} 有响应，但路径不对（{message}）。',
  addressWrongHint: '地址（base_url）写到 /chat/completions 之前；多数服务器是 …/v1。',
  addressWrongHintOllama: 'Ollama 的地址（base_url）只写主机和端口，如 http://127.0.0.1:11434。',
  requestRefused: '服务器拒绝了这个请求：{message}。',
  requestRefusedHint: '常见原因是模型不接受某项设置：去掉 temperature，或把 context_tokens 改小。',
  promptTooLong: '{message}。',
  promptTooLongHint: '把 context_tokens 降到服务器接受的值，或者让服务器使用更大的上下文。',
  filtered: '{message}。',
  filteredHint: '服务商不回答这类内容。请换一个模型，或者向服务商了解它的规则。',
  outOfCredit: '{host} 的账户已没有余额。',
  outOfCreditHint: '在服务商处充值或提高限额；等待没有用。',
  tooMany: '{host} 目前请求太多。',
  tooManyHint: '等一分钟再试；若一直如此，把 parallel 改小。',
  serverBroken: '{host} 自身出错：{message}。',
  serverBrokenHint: '稍后再试，并查看该服务器的日志。',
  timeLimit: '{host} 用时太久：{message}。',
  timeLimitHint: '再试一次，或提高 time_limit_s。',
  timeLimitHintOllama: '首次调用要载入模型，可能较慢：再试一次，或提高 time_limit_s。',
  wrongFormat: '{host} 的响应不是 {provider} 的格式。',
  wrongFormatHint: '检查 provider（openai 或 ollama）和地址（base_url）；那里可能是登录页或别的程序。',
  cut: '{host} 的回答没有结束就中断了。',
  cutHint: '再试一次；若一直如此，检查中间是否有会截断长回答的代理。',
  neverEnds: '{message}。',
  neverEndsHint:
    '没有结束标志时，中断的回答看起来和完整的一样，所以一个都不采用。请升级服务器，或者换一个会发送 finish_reason 的服务器。',
}

export const TOOL_TRIAL_ZH: Translated<typeof TOOL_TRIAL_EN> = {
  works: (d) => {
    const parts = [
      `${d.tools} 个工具`,
      ...(d.resources > 0 ? [`${d.resources} 个资源`] : []),
      ...(d.prompts > 0 ? [`${d.prompts} 个提示`] : []),
    ]
    return `${d.name} 已连接：${parts.join('、')}；其中 ${d.asked} 个工具在调用前会先问人。`
  },
  unread: '未能照原样读取：{list}。',
  signIn: '{name} 需要先登录。',
  signInHint: '请以操作员身份登录：设置，模型与工具，登录。',
  noKey: '{name} 要求授权，但没有配置密钥。',
  noKeyHint: '在 tools.{name} 下给它一个密钥（headers: { Authorization: "Bearer ${env:NAME}" }），或写一个 oauth 段。',
  address: '无法连接 {name}（{baseurl}）。原始信息：{message}',
  addressHint: '{baseurl} 是它的地址（含路径）吗，它在运行吗？请在本机用 curl 试一下。',
  noCommand: '无法启动 {name}：找不到命令 {command}。',
  noCommandHint: '请安装 {command}，或写出它的完整路径。',
  silent: '{name} 在规定时间内没有响应。',
  silentHint: '它已启动，但没有输出。它是否在标准输出上使用 MCP？',
  ended: '无法连接 {name}。原始信息：{message}',
  endedHint: '请在终端里启动同一个命令：那里显示的就是原因。',
}

export const UNREAD_ZH: Translated<typeof UNREAD_EN> = {
  missing: '缺少 {at}',
  isNull: '{at} 为 null',
  kind: (d) => `${d.at} 的类型不可用（${KINDS_ZH[d.found] ?? d.found}）`,
  unknownPart: '{at} 属于未知种类 {found}，按其 JSON 给出',
  noType: '{at} 没有写明类型，按 {found} 处理',
  noName: '{at} 没有可用的名称（{found}），已略去',
  twice: '{at} 与前面的 {found} 同名，以前面的为准',
  pages: '{at} 只读取前 {found} 页',
  circle: '{at} 的分页没有结束：服务器两次给出同一页“{found}”',
  failed: '无法读取 {at}：{found}',
  silent: '{at} 在 {found} 内没有返回',
  number: '{at}：数字 {found} 的位数超出可保留的位数，因此以文本给出',
  noStructured: '缺少该工具声明的 {at}',
  unfit: '{at} 与该工具声明的不符：{found}',
  encoding: '{at} 的编码是 {found}，已按此读取；写入时以 UTF-8 保存',
  undecoded: '{at} 含有无法识别的字符（U+FFFD）：来源不是 UTF-8',
  more: '另有 {found} 处类似情况',
}

const KINDS_ZH: Readonly<Record<string, string>> = {
  text: '文本',
  number: '数字',
  boolean: '布尔值',
  list: '列表',
  object: '对象',
}

export const CHANNEL_TRIAL_ZH: Translated<typeof CHANNEL_TRIAL_EN> = {
  mailWorks: '登录成功，没有发送邮件。',
  mailHint: '请检查 {variable}：smtp://user:password@host:587，或端口 465 的 smtps://。',
  webhookWorks: '已收到一条测试通知。',
  privateHint: '如果这是有意的，请在 notify 中写 allow_private: true。',
  notSet: '{variable} 没有设置。',
  notSetHint: '请在运行 Convene 的地方设置它。',
}

export const NOTIFICATIONS_ZH: Translated<typeof NOTIFICATIONS_EN> = {
  urgent: '{who} 的紧急消息',
  waits: '{who} 在等你',
  theTask: '任务',
  inTask: '{text} · {task}',
  open: '有 {count} 件事在等你',
  test: 'Convene 的测试通知',
  testText: '这个通知方式可用。这只是测试，没有事情在等你。',
}

export const EXPORT_ZH: Translated<typeof EXPORT_EN> = {
  files: '文件',
  stages: '阶段',
  messages: '消息',
  notDone: '未完成',
  to: '致',
  removed: '已删除',
}

export const DOCTOR_ZH: Translated<typeof DOCTOR_EN> = {
  read: '配置文件 {file} 没有问题。',
  note: '注意',
  models: '模型',
  tools: '工具服务器',
  channels: '联系人的渠道',
  database: '数据库',
  encrypted: '已加密',
  plain: '未加密',
  noJournal: '还没有日志',
  journal: '条目到 #{seq}',
  inUse: '正被 {host} 上的进程 {pid} 使用',
  notInUse: '未被使用',
  noSalvage: '无法从 {place} 抢救数据：请恢复备份（docs/operate/postgresql.md）。',
  none: '没有配置',
  works: '正常',
  worksNot: '不正常',
  all: '全部正常。',
  some: '有 {count} 项不正常。',
  aside: '{folder}：没有任何条目引用的文件：{files} 个，{bytes} 字节。删除它们：npm run doctor -- --empty-aside',
  emptied: '已从 {folder} 删除文件：{files} 个，{bytes} 字节。',
  unknown: '未知参数 {argument}。可用：--empty-aside、--verify、--salvage <文件夹>',

  whole: '{folder} 中的日志完好：{decisions} 个决定、{entries} 条记录和 {bodies} 份正文与写入时一致。',
  damaged: '{folder} 中的数据与写入时不一致，共 {places} 处：',
  more: '  另有 {places} 处',
  restoreNext: '请恢复备份（npm run restore -- <文件夹>），或保存完好的部分：npm run doctor -- --salvage <空文件夹>',

  saved: '已保存到 {to}：{decisions} 个决定，{entries} 条记录，{bodies} 份正文（提示词、回答、结果、文件）。',
  nothingLost: '没有任何丢失。',
  lost: (d) =>
    d.from === d.to ? `第 ${d.from} 条记录已丢失：${d.why}。` : `第 ${d.from} 至 ${d.to} 条记录已丢失：${d.why}。`,
  bodies: '有 {n} 份正文已丢失。',
  someBodies: '可能还有更多正文丢失：它们的表无法读到末尾。',
  rows: '表 {table} 中有 {rows} 行已丢失。',
  table: '表 {table} 无法读到末尾。',
  salvageNext:
    '损坏的文件夹保持原样。要从已保存的内容继续，请以 CONVENE_DATA={to} 启动；工具服务器的登录（tool-sign-ins/）和用于解开已输入密钥的密钥（keys/）需要手动复制过去。',
}
