/** Finds tags in a model's own answer to a skill; texts of people, tools, peers and messages are never searched. */

/** The content of the last complete tag of that name; null: none. Unclosed openings are skipped. */
export function findLastTag(answer: string, name: string): string | null {
  const open = `<${name}>`
  for (let at = answer.lastIndexOf(open); at >= 0; at = at === 0 ? -1 : answer.lastIndexOf(open, at - 1)) {
    const end = answer.indexOf(`</${name}>`, at + open.length)
    if (end >= 0) return answer.slice(at + open.length, end)
  }
  return null
}

/** Remove one code fence, if it contains all of the text. Two fences are part of the text. */
export function stripFence(text: string): string {
  const trimmed = text.trim()
  const opening = /^(?:(`{3,})[^\n`]*|(~{3,})[^\n~]*)\n/.exec(trimmed)
  const fence = opening?.[1] ?? opening?.[2]
  if (!opening || fence === undefined || !trimmed.endsWith(fence) || trimmed.length < opening[0].length + fence.length)
    return trimmed
  const content = trimmed.slice(opening[0].length, -fence.length).replace(/\n$/, '')
  return content.split('\n').some((line) => line.trimStart().startsWith(fence)) ? trimmed : content
}

/** The names of a block of reasoning before an answer. */
const THOUGHTS = /^<(think|thinking|thoughts?|reasoning|seed:think|scratchpad|analysis)>/i
/** The answer channel of open-weight models, if the server does not separate the channels. */
const FINAL_CHANNEL = '<|channel|>final<|message|>'

const withoutLead = (text: string): string => text.replace(/^[\s\uFEFF\u200B]+/, '')

/** The text behind the block of reasoning at its beginning; null: that block has no end. Without a block, the text as it is. */
export function afterThoughts(text: string): string | null {
  const said = withoutLead(text)
  if (said.startsWith('<|channel|>')) {
    const final = said.lastIndexOf(FINAL_CHANNEL)
    return final < 0 ? null : said.slice(final + FINAL_CHANNEL.length).replace(/<\|(?:return|end)\|>\s*$/, '')
  }
  const name = THOUGHTS.exec(said)?.[1]
  if (name === undefined) return text
  const close = `</${name.toLowerCase()}>`
  const end = said.toLowerCase().indexOf(close)
  return end < 0 ? null : said.slice(end + close.length).trimStart()
}

/** Whether the answer has not begun: there is no text yet, or only the reasoning before it. */
export const isOnlyThoughts = (answer: string): boolean => (afterThoughts(answer) ?? '').trim() === ''

/**
 * Remove the reasoning that a model wrote before its answer, so that a draft in it is never taken for the answer.
 *
 * in      the answer; whether `<think>` is a tag that is asked for; whether the server gave the reasoning apart
 * out     the text after the leading block. Where think is asked for, the block stays if nothing follows it, or if the server
 *         gave the reasoning apart: then it is the answer. A block without an end stays too. Some servers omit the opening
 *         tag; a single `</think>` also ends the reasoning.
 */
export function dropReasoning(answer: string, asksForThink: boolean, isApart = false): string {
  const said = withoutLead(answer)
  const text = /^<think>/i.test(said) ? said : (afterThoughts(said) ?? said)
  const end = text.indexOf('</think>')
  if (end < 0) return text
  const rest = text.slice(end + '</think>'.length)
  const opening = text.indexOf('<think>')
  const leads = opening <= 0 || opening > end
  if (!leads || (asksForThink && (isApart || rest.trim() === ''))) return text
  return rest
}
