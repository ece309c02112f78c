/** What a notice outside the page says, in the person's language. */

export const NOTE_WORDS = {
  en: {
    urgent: (who: string) => `Urgent from ${who}`,
    waits: (who: string) => `${who} waits for you`,
    theTask: 'The task',
    inTask: (task: string, text: string) => `${text} · ${task}`,
    open: (count: number) => (count === 1 ? 'One thing waits for you' : `${count} things wait for you`),
    test: 'A test from Convene',
    testText: 'You can be reached here. Nothing waits for you because of it.',
  },
  zh: {
    urgent: (who: string) => `${who} 的紧急消息`,
    waits: (who: string) => `${who} 在等你`,
    theTask: '任务',
    inTask: (task: string, text: string) => `${text} · ${task}`,
    open: (count: number) => `有 ${count} 件事在等你`,
    test: 'Convene 的测试通知',
    testText: '这里可以联系到你。没有事情因此在等你。',
  },
} as const
