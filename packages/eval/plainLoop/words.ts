/** Texts for the model of a plain loop. */
import { inLanguage } from '../job'

export type LoopWords = ReturnType<typeof loopWords>

export const loopWords = (language: 'en' | 'zh') => {
  const say = inLanguage(language)
  const paths = say('Paths are relative to the workspace.', '路径相对于工作区。')
  const people = say(
    'Ask Ana with ask_person what only she can decide, and never what the files say.',
    '只有 Ana 能决定的事用 ask_person 问她；文件里有的不要问。',
  )
  const end = say(
    'Then answer Ana: your last text is the message that she gets. If it cannot be done, call give_up with the reason; never invent what you could not read.',
    '然后回复 Ana：你最后的文字就是她收到的消息。如果做不到，调用 give_up 并说明原因；读不到的内容绝不编造。',
  )
  return {
    alone: [say('Do what Ana asks with your tools.', '用工具完成 Ana 的请求。'), paths, people, end].join(' '),
    leader: (agents: readonly string[]) =>
      [
        say(
          `Do what Ana asks. You lead ${agents.join(' and ')}, who are tools: only they reach the files, and they see nothing of each other's work, so hand on the facts in full. Judge what comes back, and call again what is wrong.`,
          `完成 Ana 的请求。你领导 ${agents.join(' 和 ')}，他们是工具：只有他们能读写文件，而且看不到彼此的工作，所以要把事实完整转交。判断他们的结果，有错就再调用。`,
        ),
        people,
        end,
      ].join(' '),
    member: (name: string, profile: string) =>
      [
        say(`You are ${name}. ${profile}`, `你是 ${name}。${profile}`),
        paths,
        people,
        say('Your last text is your result.', '你最后的文字就是你的结果。'),
      ].join(' '),
    memberTool: (name: string, profile: string) =>
      say(
        `Gives ${name} a task and returns the result. ${profile} It remembers its earlier tasks.`,
        `给 ${name} 一个任务并返回结果。${profile} 它记得自己以前的任务。`,
      ),
    task: say('The task, with all that it needs.', '任务，包括所需的一切。'),
    askPerson: say(
      'Asks Ana and waits for her answer. review: she looks at a result and accepts or rejects it.',
      '问 Ana 并等待回答。review：她检查结果，接受或退回。',
    ),
    giveUp: say('Ends the work without a result.', '不给出结果就结束工作。'),
    accepted: say('Accepted', '接受'),
    rejected: say('Rejected', '退回'),
    refused: say('Ana refused this call', 'Ana 拒绝了这次调用'),
    noAnswer: say('No answer came.', '没有回答。'),
  }
}
