/** 256 random bits as base64url */
export const newToken = (random: (n: number) => Uint8Array): string => Buffer.from(random(32)).toString('base64url')
