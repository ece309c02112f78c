import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RequestKind } from '@/lib/mas/records'
import { postAnswer, requestsQuery } from '@/lib/wire/http'

const KINDS: Record<RequestKind, true> = {
  answer: true,
  part: true,
  confirm: true,
  limit: true,
  judge: true,
  tool: true,
  plan: true,
}
const page = readFileSync('docs/api.md', 'utf8')
const rowOf = (kind: string): string => page.split('\n').find((line) => line.startsWith(`| \`${kind}\`: `)) ?? ''

describe('docs/api.md', () => {
  it('[R160] every kind of request is a row with an example that the schema takes', () => {
    for (const kind of Object.keys(KINDS)) {
      expect(requestsQuery.safeParse({ kind }).success, kind).toBe(true)
      const row = rowOf(kind)
      expect(row, kind).toMatch(/curl|answer 9c1f…/)
      const fields = row.match(/`answer 9c1f… '(.*)'`/)?.[1]
      if (kind === 'judge') expect(row).toContain('/api/steps/<step>/retry')
      else {
        const body: unknown = JSON.parse(`{"id": "cron-12345678", "until": 1, ${fields}}`)
        expect(postAnswer.safeParse(body), row).toMatchObject({ success: true })
      }
    }
  })
})
