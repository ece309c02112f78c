/** Results of tool servers as agents get them: paths are shortened in errors only, and nothing unknown is passed on. */
import { expect, test } from 'vitest'
import { fromPrompt, fromResource, fromToolResult } from './results'

const show = (text: string): string => text.replace('/srv/ws/', '')
const text = { type: 'text' as const, text: 'at /srv/ws/a' }

test('the texts of an error are shown relative, those of a result and other parts as they are', () => {
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' }
  expect(fromToolResult({ isError: true, content: [text, image] }, show)).toEqual({
    isError: true,
    content: [{ type: 'text', text: 'at a' }, image],
  })
  for (const isError of [false, undefined])
    expect(fromToolResult({ isError, content: [text] }, show)).toEqual({ isError: false, content: [text] })
})

test('structured values are there where the server gave some', () => {
  expect(fromToolResult({ content: [], structuredContent: { a: 1 } }, show)).toHaveProperty('structured', { a: 1 })
  expect(fromToolResult({ content: [] }, show)).not.toHaveProperty('structured')
})

test('each known annotation is kept where it is said, and nothing else', () => {
  const noted = (annotations?: object) =>
    fromToolResult({ content: [{ ...text, annotations } as typeof text] }, show).content[0]
  expect(noted({ audience: ['user'] })).toStrictEqual({ ...text, annotations: { audience: ['user'] } })
  expect(noted({ priority: 0, other: 1 })).toStrictEqual({ ...text, annotations: { priority: 0 } })
  expect(noted({ lastModified: '2026-01-01' })).toStrictEqual({ ...text, annotations: { lastModified: '2026-01-01' } })
  for (const none of [{}, { other: 1 }, undefined]) expect(noted(none)).toStrictEqual(text)
})

test('links say their size where it is a number; resources are text or data', () => {
  const link = { type: 'resource_link' as const, uri: 'file:///a', name: 'a' }
  const sizeOf = (more: object) => fromToolResult({ content: [{ ...link, ...more }] }, show).content[0]
  expect(sizeOf({ size: 3 })).toHaveProperty('size', 3)
  for (const more of [{}, { size: '3' }]) expect(sizeOf(more)).not.toHaveProperty('size')
  const contents = [
    { uri: 'file:///a', text: 'words' },
    { uri: 'file:///b', blob: 'AAAA' },
  ]
  expect(fromResource({ contents }).content).toMatchObject([{ text: 'words' }, { blob: 'AAAA' }])
})

test('the messages of a prompt come in order with their roles', () => {
  const messages = [
    { role: 'user' as const, content: text },
    { role: 'assistant' as const, content: { type: 'text' as const, text: 'yes' } },
  ]
  expect(fromPrompt({ messages })).toMatchObject({
    isError: false,
    content: [text, { type: 'text', text: 'yes' }],
    structured: { roles: ['user', 'assistant'] },
  })
})
