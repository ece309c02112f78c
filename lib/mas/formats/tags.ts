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

/** Other names of the reasoning block `<think>`. */
const THOUGHTS = /^<(thinking|thoughts?|reasoning|seed:think|scratchpad|analysis)>/i
/** The answer channel of open-weight models, if the server does not separate the channels. */
const FINAL_CHANNEL = '<|channel|>final<|message|>'

/**
 * Remove the reasoning that a model wrote before its answer, so that a draft in it is never taken for the answer.
 *
 * in      the answer; whether `<think>` is a tag that is asked for; whether the server gave the reasoning apart
 * out     the text after the leading block. Where think is asked for, the block stays if nothing follows it, or if the server
 *         gave the reasoning apart: then it is the answer. A block without an end stays too. Some servers omit the opening
 *         tag; a single `</think>` also ends the reasoning.
 */
export function dropReasoning(answer: string, asksForThink: boolean, isApart = false): string {
  const text = dropOtherThoughts(answer.replace(/^[\s\uFEFF\u200B]+/, ''))
  const end = text.indexOf('</think>')
  if (end < 0) return text
  const rest = text.slice(end + '</think>'.length)
  const opening = text.indexOf('<think>')
  const leads = opening === 0 || opening < 0 || opening > end
  if (!leads) return text
  if (asksForThink && (isApart || rest.trim() === '')) return text
  return rest
}

/** Whether the answer has not begun: there is no text yet, or only the reasoning before it. */
export function isOnlyThoughts(answer: string): boolean {
  const text = answer.trim()
  if (text.startsWith('<|channel|>')) return !text.includes(FINAL_CHANNEL)
  const name = THOUGHTS.exec(text)?.[1] ?? (text.startsWith('<think>') ? 'think' : undefined)
  if (name === undefined) return text === ''
  const close = `</${name.toLowerCase()}>`
  const end = text.toLowerCase().indexOf(close)
  return end < 0 || text.length === end + close.length
}

function dropOtherThoughts(text: string): string {
  if (text.startsWith('<|channel|>')) {
    const final = text.lastIndexOf(FINAL_CHANNEL)
    return final < 0 ? text : text.slice(final + FINAL_CHANNEL.length).replace(/<\|(?:return|end)\|>\s*$/, '')
  }
  const name = THOUGHTS.exec(text)?.[1]
  if (name === undefined) return text
  const close = `</${name.toLowerCase()}>`
  const end = text.toLowerCase().indexOf(close)
  return end < 0 ? text : text.slice(end + close.length).trimStart()
}
