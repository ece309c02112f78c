import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CannotGoOn } from './say.mjs'

/** Reads lines from the terminal or a pipe; a secret is not echoed, and stays as it was typed. */
export function openLines() {
  let isUnseen = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isUnseen) process.stderr.write(chunk)
      done()
    },
  })
  const reader = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true })
  const iterator = reader[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await iterator.next()
    return done ? null : value
  }
  return {
    async ask(question, unseen = false) {
      process.stderr.write(question)
      isUnseen = unseen
      const line = await next()
      isUnseen = false
      if (unseen) process.stderr.write('\n')
      if (line === null) throw new CannotGoOn('the input ended.')
      return unseen ? line : line.trim()
    },
    /** All lines up to that one; null: the input ended before any. */
    async until(end) {
      const told = []
      for (let line = await next(); line !== end; line = await next()) {
        if (line === null) return told.length === 0 ? null : told.join('\n')
        told.push(line)
      }
      return told.join('\n')
    },
    close: () => reader.close(),
  }
}
