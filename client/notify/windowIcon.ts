type WindowIcon = 'plain' | 'dot' | 'urgent'

const SIGN =
  '<rect x="2" y="9" width="14" height="14" rx="4" fill="#0b6166"/><path d="M17 16h4" stroke="#b0761d" stroke-width="2.5" stroke-dasharray="2.4 1.4"/><circle cx="25" cy="16" r="6" fill="#864a2c"/>'
const MARKS: Record<WindowIcon, string> = {
  plain: SIGN,
  dot: `${SIGN}<circle cx="26" cy="6" r="6" fill="#b0761d"/>`,
  urgent:
    '<rect width="32" height="32" rx="7" fill="#b3261e"/><path d="M16 6v13" stroke="#fff" stroke-width="4"/><circle cx="16" cy="25.5" r="2.6" fill="#fff"/>',
}

let shown: WindowIcon = 'plain'

export function setWindowIcon(icon: WindowIcon): void {
  if (icon === shown) return
  shown = icon
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${MARKS[icon]}</svg>`
  for (const old of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"][data-mark]')) old.remove()
  if (icon === 'plain') return
  const link = document.createElement('link')
  link.rel = 'icon'
  link.type = 'image/svg+xml'
  link.dataset.mark = icon
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`
  document.head.append(link)
}
