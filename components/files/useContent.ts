import { useEffect, useState } from 'react'
import { callForBytes } from '@/client/api'
import { useFixtures } from '@/client/fixtures'

export type FetchedContent =
  | { status: 'loading' }
  | { status: 'ready'; content: Blob }
  | { status: 'broken'; why: string }

/** in: href null: nothing is fetched. */
export function useContent(href: string | null): { content: FetchedContent; retry: () => void } {
  const still = useFixtures()
  const [tries, setTries] = useState(0)
  const [held, setHeld] = useState<{ href: string | null; content: FetchedContent }>({
    href: null,
    content: { status: 'loading' },
  })
  // Joins the server for as long as the file is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again.
  useEffect(() => {
    if (href === null || still !== null) return
    let isWanted = true
    void callForBytes(href).then((answer) => {
      if (!isWanted) return
      const content: FetchedContent = answer.ok
        ? { status: 'ready', content: answer.value }
        : { status: 'broken', why: answer.fault.message }
      setHeld({ href, content })
    })
    return () => {
      isWanted = false
    }
  }, [href, tries, still])
  return {
    content: held.href === href ? held.content : { status: 'loading' },
    retry: () => {
      setHeld({ href: null, content: { status: 'loading' } })
      setTries(tries + 1)
    },
  }
}
