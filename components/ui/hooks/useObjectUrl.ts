import { useEffect, useState } from 'react'

/** Kinds that browsers draw and that hold no scripts. */
export const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/

/** An address for a blob of this browser, while it is shown. */
export function useObjectUrl(blob: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    // Joins the browser's memory: the address is revoked.
    if (blob === null) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}
