/** The browser and the system that a User-Agent names. A browser that is built on another names both: the first found counts. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['WeChat', /\bMicroMessenger\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** out: "Firefox, Linux"; what the program calls itself where neither is known; null: it names nothing. */
export function browserIn(agent: string | null): string | null {
  if (agent === null || agent.trim() === '') return null
  const found = [BROWSERS, SYSTEMS].flatMap((names) => names.find(([, sign]) => sign.test(agent))?.[0] ?? [])
  return found.length > 0 ? found.join(', ') : agent.slice(0, 60)
}
