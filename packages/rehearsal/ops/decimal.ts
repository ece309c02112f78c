type Decimal = { units: bigint; scale: number }

/** Parses a text that is one number (`3.20`, `1,234.50`, `3,20`, `€ 3.20`, `12 %`, `¥45`, `-7`); null: it is not. */
export function parseDecimal(text: string): Decimal | null {
  const bare = text
    .trim()
    .replace(/^[€$£¥￥]\s*|\s*(?:[€$£¥￥%元]|EUR|USD|GBP|CNY|RMB)$/gi, '')
    .trim()
  const plain = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare)
    ? bare.replace(/,/g, '')
    : /^[+-]?\d+,\d{1,2}$/.test(bare)
      ? bare.replace(',', '.')
      : bare
  const found = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(plain)
  if (!found) return null
  const [, sign = '', whole = '', fraction = ''] = found
  const units = BigInt(whole + fraction)
  return { units: sign === '-' ? -units : units, scale: fraction.length }
}

export function addDecimals(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale)
  return { units: raise(one, scale) + raise(other, scale), scale }
}

export function sameDecimal(one: Decimal, other: Decimal): boolean {
  const scale = Math.max(one.scale, other.scale)
  return raise(one, scale) === raise(other, scale)
}

/** As many decimal places as the most exact summand. */
export function showDecimal({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const shown = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return units < 0n ? `-${shown}` : shown
}

/** The sum of those texts that are numbers; null when none is. */
export function sumDecimals(texts: readonly string[]): string | null {
  const numbers = texts.map(parseDecimal).filter((number) => number !== null)
  return numbers.length === 0 ? null : showDecimal(numbers.reduce(addDecimals))
}

const raise = ({ units, scale }: Decimal, to: number) => units * 10n ** BigInt(to - scale)
