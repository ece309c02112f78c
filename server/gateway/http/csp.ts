/** Content security policies, and the security headers of every answer. */
import { createHash } from 'node:crypto'

/**
 * Style sheets with fixed text that sonner (2), radix Select and ScrollArea (2) and react-remove-scroll (1) insert.
 * They change with the versions of those packages. The last holds only while <body> has no scroll bar and no padding.
 */
export const STYLE_HASHES = [
  '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=',
  'vGQdhYJbTuF+M8iCn1IZCHpdkiICocWHDq4qnQF4Rjw=',
  '441zG27rExd4/il+NvIqyL8zFx5XmyNQtE381kSkUJk=',
  'nzTgYzXYDNe6BAHiiI7NNlfK8n/auuOAhh2t92YvuXo=',
] as const

const INLINE_SCRIPT = /<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi

/** SHA-256 (base64) of every inline script of a page, each once, in order. */
export function scriptHashes(html: string): string[] {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, text = '']) =>
    createHash('sha256').update(text, 'utf8').digest('base64'),
  )
  return [...new Set(hashes)]
}

/** The policy of a page whose inline scripts are exactly these. nonce: of a page that is made per request, instead of hashes */
export function pagePolicy(scripts: readonly string[], nonce?: string): string {
  const list = (hashes: readonly string[]) => hashes.map((hash) => ` 'sha256-${hash}'`).join('')
  return [
    "default-src 'none'",
    `script-src 'self'${list(scripts)}${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    `style-src 'self'${list(STYLE_HASHES)}`,
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    'media-src blob:',
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Of the service worker: it may call this server and load our icons. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'"

/** Of API answers, which are never pages. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"

/** Headers of every answer: of the API, the pages, the adapters. */
export function commonHeaders(https: boolean): [name: string, value: string][] {
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['X-DNS-Prefetch-Control', 'off'],
    ...(https ? [['Strict-Transport-Security', 'max-age=15552000'] satisfies [string, string]] : []),
  ]
}
