import { describe, expect, it } from 'vitest'
import { foldersOf } from '@/lib/format/filePaths'
import { fileText, nameOf, shapeOf } from './fileKinds'

describe('how a file is shown', () => {
  it('follows the end of its name, in any case; all others are texts', () => {
    const kinds = ['a.md', 'A.CSV', 'b.json', 'c.JPG', 'd.pdf', 'e.mp3', 'f.svg', 'g.html', 'Makefile', 'md']
    expect(kinds.map((path) => shapeOf(path).kind)).toEqual([
      ...['markdown', 'table', 'json', 'picture', 'pdf', 'sound'],
      // Pictures and pages that can hold scripts are shown as their text.
      ...['text', 'text', 'text', 'text'],
    ])
    expect([shapeOf('c.JPG').mime, shapeOf('c.png').mime, shapeOf('e.mp3').mime]).toEqual([
      'image/jpeg',
      'image/png',
      'audio/mpeg',
    ])
  })

  it('is no text where its bytes are none', () => {
    expect(fileText(new TextEncoder().encode('报告'))).toBe('报告')
    expect(fileText(new Uint8Array([0xc6, 0xbb, 0xb9, 0xfb]))).toBe('苹果')
    expect(fileText(new Uint8Array([0xff, 0xfe, 0x41]))).toBeNull()
    expect(fileText(new Uint8Array([0x41, 0, 0x42]))).toBeNull()
  })

  it('names its folders', () => {
    expect(foldersOf('a/b/c.md')).toEqual(['a', 'a/b'])
    expect([foldersOf('c.md'), nameOf('a/b/c.md'), nameOf('c.md')]).toEqual([[], 'c.md', 'c.md'])
  })
})
