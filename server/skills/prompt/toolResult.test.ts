/** Results of tools as models read them: texts as they are, media by name and size, anything unknown unchanged. */
import { describe, expect, it } from 'vitest'
import { readResultMedia, readToolResult } from './toolResult'

const text = (words: string) => ({ type: 'text', text: words })
const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
const sound = { uri: 'file:///a.wav', mimeType: 'audio/wav', blob: 'AAAAAA==' }

describe('a result of a tool', () => {
  it.each<[string, unknown, string]>([
    ['texts', { content: [text('one'), text('two')] }, 'one\n\ntwo'],
    ['an error', { content: [text('no')], isError: true }, 'isError: true\nno'],
    ['no error', { content: [text('yes')], isError: false }, 'yes'],
    ['a text that is empty', { content: [text(''), text('two')] }, 'two'],
    ['values beside texts', { content: [text('one')], structured: { a: 1 } }, 'one'],
    ['values alone', { content: [], structured: { a: 1 } }, '{"a":1}'],
    ['values alone by their other name', { content: [], structuredContent: { b: 2 } }, '{"b":2}'],
    ['nothing', { content: [] }, ''],
    ['its name around it', { mcp_server_result: { content: [text('named')] } }, 'named'],
    ['a resource', { contents: [{ uri: 'file:///a', text: 'held' }] }, 'held'],
    ['an embedded resource', { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'held' } }] }, 'held'],
    ['a prompt', { messages: [{ role: 'user', content: text('ask') }, { role: 'user', content: 7 }, 7] }, 'ask'],
    ['a picture', { content: [image] }, '[image image/png 3 B]'],
    ['a sound of a resource', { contents: [sound] }, '[resource file:///a.wav audio/wav 4 B]'],
    ['a link', { content: [{ type: 'resource_link', uri: 'file:///b' }] }, '[resource_link file:///b unknown kind]'],
    ['notes of what could not be read', { content: [text('one')], notes: ['b is null'] }, 'one\n\n[b is null]'],
    ['parts that are none', { content: [7, null, text('one')] }, 'one'],
  ])('with %s is read', (_, result, shown) => {
    expect(readToolResult(JSON.stringify(result))).toBe(shown)
  })

  it.each(['plain words', '{ no JSON', '[1]', '{"other":1}', '7'])(
    'of another form is shown unchanged: %s',
    (whole) => {
      expect(readToolResult(whole)).toBe(whole)
      expect(readResultMedia(whole)).toEqual([])
    },
  )
})

it('pictures and sounds of a result are those with data and a known kind, in order', () => {
  const result = {
    content: [
      image,
      { type: 'resource', resource: sound },
      { type: 'image', mimeType: 'image/png' },
      { type: 'image', data: 'AAAA' },
      { type: 'blob', mimeType: 'application/pdf', data: 'AAAA' },
      text('one'),
    ],
  }
  expect(readResultMedia(JSON.stringify(result))).toEqual([
    { kind: 'image', mime: 'image/png', name: '', bytes: 3, base64: 'AAAA' },
    { kind: 'audio', mime: 'audio/wav', name: 'file:///a.wav', bytes: 4, base64: 'AAAAAA==' },
  ])
})
