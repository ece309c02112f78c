/** What a notice outside the page says, in the person's language. */

export const NOTE_WORDS = {
  en: {
    urgent: (who: string) => `Urgent from ${who}`,
    waits: (who: string) => `${who} is waiting for you`,
    theTask: 'The task',
    inTask: (task: string, text: string) => `${text} · ${task}`,
    open: (count: number) => (count === 1 ? '1 item is waiting for you' : `${count} items are waiting for you`),
    test: 'Test from Convene',
    testText: 'This channel works. This is only a test: nothing is waiting for you.',
  },
  zh: {
    urgent: (who: string) => `${who} 的紧急消息`,
    waits: (who: string) => `${who} 在等你`,
    theTask: '任务',
    inTask: (task: string, text: string) => `${text} · ${task}`,
    open: (count: number) => `有 ${count} 件事在等你`,
    test: 'Convene 的测试通知',
    testText: '这个通知方式可用。这只是测试，没有事情在等你。',
  },
} as const
