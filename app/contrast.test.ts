import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Rgb = [number, number, number]
type Tokens = Map<string, [number, number, number]>

const css = readFileSync(new URL('./globals.css', import.meta.url), 'utf8')

/** The declarations of colours. */
const COLOURS = /^ {2}--color-([\w-]+): (.*);$/gm
const OKLCH = /oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g

/** The opaque tokens of a theme, which globals.css declares as light-dark(…, …). */
function tokensOf(theme: 0 | 1): Tokens {
  const found: Tokens = new Map()
  for (const [, name = '', value = ''] of css.matchAll(COLOURS)) {
    const [, l, c, h] = [...value.matchAll(OKLCH)][theme] ?? []
    if (l !== undefined) found.set(name, [Number(l), Number(c), Number(h)])
  }
  return found
}

/** oklch to linear sRGB (Björn Ottosson's matrices), unclipped. */
function linear([l, c, h]: [number, number, number]): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

const clip = (value: number): number => Math.min(1, Math.max(0, value))
const luminance = (rgb: Rgb): number => 0.2126 * clip(rgb[0]) + 0.7152 * clip(rgb[1]) + 0.0722 * clip(rgb[2])
function ratio(a: [number, number, number], b: [number, number, number]): number {
  const [one, two] = [luminance(linear(a)), luminance(linear(b))]
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05)
}

const SURFACES = ['bg', 's1', 's2', 's3', 'hover', 'sel', 'me']
const TEXTS = [
  't1',
  't2',
  't3',
  'accent',
  'idle',
  'running',
  'waiting',
  'done',
  'failed',
  'stale',
  'fyi',
  'action',
  'urgent',
  'human',
  'agent',
]
const PAIRED = [
  'idle',
  'running',
  'waiting',
  'blocked',
  'done',
  'failed',
  'stale',
  'fyi',
  'action',
  'urgent',
  'human',
  'agent',
]

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('contrast in %s', (_name, theme) => {
  const tokens = tokensOf(theme)
  const of = (name: string): [number, number, number] => {
    const token = tokens.get(name)
    if (!token) throw new Error(`no token --color-${name}`)
    return token
  }

  it('the contrast of every text on every surface is at least 4.5', () => {
    for (const text of TEXTS)
      for (const surface of SURFACES)
        expect(ratio(of(text), of(surface)), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
  })

  it('the contrast of every role on its own background is at least 4.5', () => {
    for (const role of PAIRED) expect(ratio(of(role), of(`${role}-b`)), role).toBeGreaterThanOrEqual(4.5)
    for (const [text, ground] of [
      ['on-accent', 'accent'],
      ['on-urgent', 'urgent-fill'],
      ['t1', 'urgent-b'],
      ['t2', 'urgent-b'],
      ['t3', 'urgent-b'],
      ['accent', 'urgent-b'],
      ['waiting', 'urgent-b'],
      ['t1', 'waiting-b'],
      ['t2', 'idle-b'],
      ['accent', 'accent-soft'],
    ] as const) {
      expect(ratio(of(text), of(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('the contrast of edges, focus and the wait line is at least 3', () => {
    for (const edge of ['line-strong', 'focus', 'wait-line'])
      for (const surface of SURFACES)
        expect(ratio(of(edge), of(surface)), `${edge} on ${surface}`).toBeGreaterThanOrEqual(3)
    for (const ground of ['urgent-b', 'waiting-b'])
      expect(ratio(of('wait-line'), of(ground)), ground).toBeGreaterThanOrEqual(3)
  })

  it('the contrast of faces holds at every hue that an id can have', () => {
    const hued = (name: string, hue: number): [number, number, number] => [of(name)[0], of(name)[1], hue]
    for (let hue = 20; hue <= 80; hue += 5)
      expect(ratio(hued('human', hue), hued('human-b', hue)), `person ${hue}`).toBeGreaterThanOrEqual(4.5)
    for (let hue = 190; hue <= 260; hue += 5)
      expect(ratio(hued('agent', hue), hued('agent-b', hue)), `agent ${hue}`).toBeGreaterThanOrEqual(4.5)
  })

  it('all tokens lie inside sRGB', () => {
    for (const [name, token] of tokens)
      for (const channel of linear(token)) expect(channel > -0.002 && channel < 1.002, `${name} ${channel}`).toBe(true)
  })
})

describe('the tokens', () => {
  it('both themes define the same tokens', () => {
    const all = [...css.matchAll(COLOURS)].filter(([, name]) => name !== '*')
    expect(all.length).toBeGreaterThan(40)
    for (const [, name, value] of all) expect(value, name).toMatch(/^light-dark\(oklch\([^)]+\), oklch\([^)]+\)\)$/)
    expect([...tokensOf(1).keys()]).toEqual([...tokensOf(0).keys()])
  })
})
