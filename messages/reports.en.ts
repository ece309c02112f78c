/** What the program says outside the page, in English: of trials, in notifications, exports and the doctor's reports; see program.en.ts. */

/** A model that was tried: what is wrong, and `…Hint`, what to do next (`…HintOllama`, `…HintStored`: for these providers and keys). */
export const MODEL_TRIAL_EN = {
  /** Follows a sentence that does not repeat the server's own. */
  said: '{sentence} It says: “{said}”',
  works: '{name} answered; the first token came after {ms} ms.',
  rehearsal: "A built-in program simulates the agents. It isn't a language model, so there is no server to connect to.",
  recording: '{count} recorded calls can be replayed.',
  person: 'Every call goes to a person.',
  other: "The model can't be used: {message}.",
  otherHint: 'Fix this in the configuration, then restart.',
  hostUnknown: 'There is no host {host}, or its name cannot be looked up from here.',
  hostUnknownHint: 'Check the address (base_url) for a typo, and whether this machine is online.',
  connectionRefused: 'Nothing responds at {host}.',
  connectionRefusedHint: 'Start the server, or correct the host and port in the address (base_url).',
  connectionRefusedHintOllama: 'Start Ollama (`ollama serve`), or correct the address (base_url).',
  connectionBroke: '{Message}.',
  connectionBrokeHint: 'Try again; if it keeps happening, check for a proxy or firewall in between.',
  certificate: '{Message}: it does not speak TLS, or its certificate is not accepted.',
  certificateHint:
    'Write http:// if the server speaks no TLS; for a certificate of your own, restart with NODE_EXTRA_CA_CERTS=<its file>.',
  privateAddress: '{host} lies in a private network, and models added in the page are not called there.',
  privateAddressHint:
    'Write server: { allow_private: true } into the configuration file to allow it, then start again.',
  noKey: 'The key is missing: {message}.',
  noKeyHint: 'Set the environment variable {keyEnv} and restart.',
  noKeyHintStored: 'Type the key again.',
  keyRefused: '{host} does not accept the key.',
  keyRefusedHint: 'Check the value of {keyEnv}: whole, not expired, for this server, and allowed to use this model.',
  keyRefusedHintStored: 'Type the key again: whole, not expired, for this server, and allowed to use this model.',
  keyAsked: '{host} asks for a key.',
  keyAskedHint: 'Type a key, or put it into an environment variable and its name into key_env.',
  modelUnknown: '{host} has no model called {model}.',
  modelUnknownHint: 'Check the name under model; the key may also lack the right to use it.',
  modelUnknownHintOllama: 'Run `ollama pull {model}`, or choose one that `ollama list` shows.',
  addressWrong: '{host} answers, but not at this path ({message}).',
  addressWrongHint: 'The address (base_url) ends before /chat/completions; with most servers that is …/v1.',
  addressWrongHintOllama:
    'The address (base_url) of Ollama is its host and port alone, such as http://127.0.0.1:11434.',
  requestRefused: 'The server rejects the request: {message}.',
  requestRefusedHint: "Often a setting that this model doesn't accept: remove temperature, or lower context_tokens.",
  promptTooLong: '{Message}.',
  promptTooLongHint: 'Lower context_tokens to what the server accepts, or let the server use a larger context.',
  filtered: '{Message}.',
  filteredHint: 'The provider does not answer this. Use another model, or ask the provider about its rules.',
  outOfCredit: 'The account at {host} has no credit left.',
  outOfCreditHint: 'Top it up or raise its limit at the provider; waiting does not help.',
  tooMany: 'Too many requests to {host} right now.',
  tooManyHint: 'Wait a minute and try again; if it keeps happening, lower parallel.',
  serverBroken: '{host} reports an internal error: {message}.',
  serverBrokenHint: 'Try again later, and check the log of that server.',
  timeLimit: '{host} took too long: {message}.',
  timeLimitHint: 'Try again, or raise time_limit_s.',
  timeLimitHintOllama: 'The first call loads the model and may be slow: try again, or raise time_limit_s.',
  wrongFormat: "The response from {host} isn't in the format of provider {provider}.",
  wrongFormatHint:
    'Check provider (openai or ollama) and the address (base_url); the address may belong to a login page or another program.',
  cut: 'The response from {host} was cut off.',
  cutHint: 'Try again; if it keeps happening, check for a proxy in between that cuts off long responses.',
  neverEnds: '{Message}.',
  neverEndsHint:
    'Without an ending a broken answer looks like a whole one, so none is used. Update the server, or use one that sends finish_reason.',
} as const

/** A tool server that was tried: what is wrong, and `…Hint`, what to do next. `message`: the fault's own sentence. */
export const TOOL_TRIAL_EN = {
  works: (d: { name: string; tools: number; resources: number; prompts: number; asked: number }) => {
    const parts = [
      counted(d.tools, 'tool'),
      ...(d.resources > 0 ? [counted(d.resources, 'resource')] : []),
      ...(d.prompts > 0 ? [counted(d.prompts, 'prompt')] : []),
    ]
    return `${d.name} is connected: ${parts.join(', ')}; ${d.asked} of the tools ask a person first.`
  },
  unread: 'Not read as its server gave it: {list}.',
  signIn: '{message}',
  signInHint: 'Sign in as an operator: Settings, Models and tools, Sign in.',
  noKey: '{message}',
  noKeyHint: 'Give it a key (headers: { Authorization: "Bearer ${env:NAME}" }) or an oauth block under tools.{name}.',
  address: '{message}',
  addressHint: 'Is {baseurl} its address, with the path, and does it run? Try it with curl from this machine.',
  noCommand: '{message}',
  noCommandHint: 'Install {command}, or enter its full path.',
  silent: '{message}',
  silentHint: 'It started but sent nothing. Does it use MCP on standard output?',
  ended: '{message}',
  endedHint: 'Run the same command in a terminal: its output shows the reason.',
} as const

/** What of a tool server's answer could not be taken as it is. `at` is a place in the answer. */
export const UNREAD_EN = {
  missing: '{at} is missing',
  isNull: '{at} is null',
  kind: (d: { at: string; found: string }) =>
    `${d.at} is ${/^[aeiou]/.test(d.found) ? 'an' : 'a'} ${d.found}, which cannot be used there`,
  unknownPart: '{at} is of the unknown kind {found}; it is given as its JSON',
  noType: 'the type of {at} is missing; it is taken as {found}',
  noName: '{at} has no usable name ({found}) and is left out',
  twice: '{at} has the same name as one before it, {found}, which counts',
  pages: 'only the first {found} pages of {at} are read',
  circle: 'the pages of {at} do not end: the server named the page “{found}” twice',
  failed: '{at} could not be read: {found}',
  silent: '{at} did not come within {found}',
  number: '{at}: the number {found} has more digits than are kept, so it is given as a text',
  noStructured: '{at}, which the tool announces, is missing',
  unfit: '{at} does not match what the tool announces: {found}',
  encoding: '{at} is in {found}, and was read as that; what is written to it is saved in UTF-8',
  undecoded: '{at} has signs that could not be read (U+FFFD): its source is not in UTF-8',
  more: '{found} more like these',
} as const

/** A channel to people that was tried. */
export const CHANNEL_TRIAL_EN = {
  mailWorks: 'It takes our sign-in. No mail was sent.',
  mailHint: 'Check {variable}: smtp://user:password@host:587, or smtps:// with port 465.',
  webhookWorks: 'It took a test notice.',
  privateHint: 'If that is meant, write allow_private: true in notify.',
  notSet: '{variable} is not set.',
  notSetHint: 'Set it where Convene runs.',
} as const

/** In notifications outside the page. */
export const NOTIFICATIONS_EN = {
  urgent: 'Urgent from {who}',
  waits: '{who} is waiting for you',
  theTask: 'The task',
  inTask: '{text} · {task}',
  open: (d: { count: number }) =>
    d.count === 1 ? '1 item is waiting for you' : `${d.count} items are waiting for you`,
  test: 'Test from Convene',
  testText: 'This channel works. This is only a test: nothing is waiting for you.',
} as const

/** Headings of an exported task. */
export const EXPORT_EN = {
  files: 'Files',
  stages: 'Stages',
  messages: 'Messages',
  notDone: 'Not done',
  leftOut: 'Left out or uncertain',
  decisions: 'Decisions',
  cost: 'What it cost',
  fact: 'Fact',
  value: 'Value',
  source: 'Source',
  answered: 'answered',
  approved: 'approved',
  approvedEdited: 'approved with changes',
  refused: 'refused',
  done: 'done',
  cannot: 'could not do it',
  took: 'Duration',
  tokens: 'Tokens',
  money: 'Cost',
  questions: 'Questions to people',
  approvals: 'Approvals',
  to: 'to',
  removed: 'removed',
} as const

/** By `npm run doctor`. */
export const DOCTOR_EN = {
  read: 'The configuration {file} is in order.',
  note: 'Note',
  models: 'Models',
  tools: 'Tool servers',
  channels: 'Channels to people',
  database: 'Database',
  encrypted: 'encrypted',
  plain: 'not encrypted',
  noJournal: 'no journal yet',
  journal: 'entries up to #{seq}',
  inUse: 'in use by process {pid} on {host}',
  notInUse: 'not in use',
  noSalvage: 'Nothing is salvaged from {place}: put a backup back (docs/operate/postgresql.md).',
  none: 'none configured',
  works: 'works',
  worksNot: 'does not work',
  all: 'All of it works.',
  some: (d: { count: number }) => (d.count === 1 ? 'One of them does not work.' : `${d.count} of them do not work.`),
  aside: '{folder}: files that no entry names: {files}, {bytes} bytes. To remove them: npm run doctor -- --empty-aside',
  emptied: 'Removed from {folder}: files: {files}, {bytes} bytes.',
  unknown: 'Unknown argument {argument}. Known: --empty-aside, --verify, --salvage <folder>',

  whole:
    'The journal in {folder} is whole: {decisions} decisions with {entries} entries, and {bodies} bodies, are as they were written.',
  damaged: (d: { folder: string; places: number }) =>
    `The data in ${d.folder} is not what was written, in ${d.places === 1 ? 'one place' : `${d.places} places`}:`,
  more: '  and {places} more',
  restoreNext:
    'Put a backup back (npm run restore -- <folder>), or save what is whole: npm run doctor -- --salvage <empty folder>',

  saved:
    'Saved into {to}: {decisions} decisions with {entries} entries, and {bodies} bodies (prompts, answers, results, files).',
  nothingLost: 'Nothing is lost.',
  lost: (d: { from: number; to: number; why: string }) =>
    d.from === d.to ? `Entry ${d.from} is lost: ${d.why}.` : `Entries ${d.from} to ${d.to} are lost: ${d.why}.`,
  bodies: (d: { n: number }) => (d.n === 1 ? 'One body is lost.' : `${d.n} bodies are lost.`),
  someBodies: 'More bodies may be lost: their table cannot be read to its end.',
  rows: 'Rows of the table {table} that are lost: {rows}.',
  table: 'The table {table} could not be read to its end.',
  salvageNext:
    'The damaged folder is as it was. To go on with what was saved, start with CONVENE_DATA={to}; sign-ins of tool servers (tool-sign-ins/) and the key that opens typed-in keys (keys/) have to be copied there by hand.',
} as const

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
