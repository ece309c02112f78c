/** What every store of accounts holds: rule S11 of ../README.md. */
import { describe, expect, it } from 'vitest'
import { eachWithStore, type OpenStoreUnderTest } from './harness'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export function accountsContract(name: string, open: OpenStoreUnderTest): void {
  describe(`accounts of ${name}`, () => {
    const current = eachWithStore(open)

    it('keeps a password hash, replaces it and takes it away', async () => {
      const { accounts } = current().store
      expect(await accounts.passwordHash('ana')).toBeNull()
      expect(await accounts.anyPassword(['ana', 'ben'])).toBe(false)
      await accounts.setPassword('ana', '$argon2id$1')
      await accounts.setPassword('ana', '$argon2id$2')
      expect(await accounts.passwordHash('ana')).toBe('$argon2id$2')
      expect(await accounts.anyPassword(['ben'])).toBe(false)
      expect(await accounts.anyPassword(['ben', 'ana'])).toBe(true)
      expect(await accounts.anyPassword([])).toBe(false)
      await accounts.setPassword('ana', null)
      expect(await accounts.passwordHash('ana')).toBeNull()
    })

    it('[S11] a session lives by its token until its time is over', async () => {
      const { store, clock } = current()
      const { accounts } = store
      const createdAt = clock.now
      const expiresAt = clock.now + 10 * MINUTE_MS
      const token = await accounts.startSession('ana', { agent: 'Firefox', expiresAt })
      expect(token).toMatch(/^[\w-]{43}$/)
      const session = await accounts.session(token)
      expect(session).toEqual({
        id: session?.id,
        person: 'ana',
        agent: 'Firefox',
        createdAt,
        lastSeen: createdAt,
        expiresAt,
      })
      expect(session?.id).not.toContain(token)
      expect(await accounts.session(session?.id ?? '')).toBeNull()
      expect(await accounts.session(`${token}x`)).toBeNull()
      clock.now = expiresAt - 1
      expect(await accounts.session(token)).not.toBeNull()
      clock.now = expiresAt
      expect(await accounts.session(token)).toBeNull()
      expect(await accounts.sessionsOf('ana')).toEqual([])
    })

    it('keeps sealed keys by their ids, replaces them and drops them', async () => {
      const { store, clock } = current()
      const { accounts } = store
      expect(await accounts.keys()).toEqual([])
      await accounts.keepKey('b', 'sealed b')
      await accounts.keepKey('a', 'sealed a')
      clock.now += 1
      await accounts.keepKey('b', 'sealed b2')
      expect((await accounts.keys()).map(({ id, sealed }) => [id, sealed])).toEqual([
        ['a', 'sealed a'],
        ['b', 'sealed b2'],
      ])
      expect((await accounts.keys())[1]?.at).toBe(clock.now)
      await accounts.dropKey('a')
      await accounts.dropKey('a')
      expect(await accounts.keys()).toHaveLength(1)
    })

    it('tokens differ', async () => {
      const { store, clock } = current()
      const expiresAt = clock.now + MINUTE_MS
      const tokens = await Promise.all([1, 2, 3].map(() => store.accounts.startSession('ana', { expiresAt })))
      expect(new Set(tokens).size).toBe(3)
      expect(new Set((await store.accounts.sessionsOf('ana')).map((session) => session.id)).size).toBe(3)
    })

    it('remembers when a session was last seen, to a minute', async () => {
      const { store, clock } = current()
      const { accounts } = store
      const start = clock.now
      const token = await accounts.startSession('ana', { expiresAt: start + 60 * MINUTE_MS })
      clock.now = start + MINUTE_MS - 1
      expect((await accounts.session(token))?.lastSeen).toBe(start)
      clock.now = start + MINUTE_MS
      expect((await accounts.session(token))?.lastSeen).toBe(start + MINUTE_MS)
      clock.now = start + MINUTE_MS + 1
      expect((await accounts.sessionsOf('ana'))[0]?.lastSeen).toBe(start + MINUTE_MS)
    })

    it('[S11] a session ends by token, by id, or with all of its person', async () => {
      const { store, clock } = current()
      const { accounts } = store
      const start = async (person: string) => {
        clock.now += 1
        return accounts.startSession(person, { expiresAt: clock.now + MINUTE_MS })
      }
      const [byToken, byId, rest, other] = [
        await start('ana'),
        await start('ana'),
        await start('ana'),
        await start('ben'),
      ]
      expect(await accounts.endSession(byToken)).toBe(true)
      expect(await accounts.endSession(byToken)).toBe(false)
      const id = (await accounts.session(byId))?.id ?? ''
      expect(await accounts.endSession(id)).toBe(true)
      expect(await accounts.session(byId)).toBeNull()
      expect((await accounts.sessionsOf('ana')).length).toBe(1)
      expect(await accounts.endSessionsOf('ana')).toBe(1)
      expect(await accounts.session(rest)).toBeNull()
      expect((await accounts.session(other))?.person).toBe('ben')
    })

    it('refuses an end that is no time, and goes on unharmed', async () => {
      const { accounts } = current().store
      await expect(accounts.startSession('ana', { expiresAt: Number.NaN })).rejects.toThrow(TypeError)
      await expect(accounts.makeLink('ana', Number.NaN)).rejects.toThrow(TypeError)
      expect(await accounts.sessionsOf('ana')).toEqual([])
    })

    it('lists sessions, the newest first', async () => {
      const { store, clock } = current()
      for (const agent of ['first', 'second', 'third']) {
        clock.now += 1_000
        await store.accounts.startSession('ana', { agent, expiresAt: clock.now + MINUTE_MS })
      }
      expect((await store.accounts.sessionsOf('ana')).map((session) => session.agent)).toEqual([
        'third',
        'second',
        'first',
      ])
    })

    it('[S11] a link works once', async () => {
      const { accounts } = current().store
      const token = await accounts.makeLink('ana')
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(await accounts.useLink('guess')).toBeNull()
      expect(await accounts.useLink(token)).toBe('ana')
      expect(await accounts.useLink(token)).toBeNull()
    })

    it('[S11] a link works for 15 minutes, or as long as it was told', async () => {
      const { store, clock } = current()
      const { accounts } = store
      const [usual, longer] = [
        await accounts.makeLink('ana'),
        await accounts.makeLink('ben', clock.now + 60 * MINUTE_MS),
      ]
      clock.now += 15 * MINUTE_MS
      expect(await accounts.useLink(usual)).toBeNull()
      expect(await accounts.useLink(longer)).toBe('ben')
    })

    it("[S11] a new link ends a person's earlier one", async () => {
      const { accounts } = current().store
      const [first, others, second] = [
        await accounts.makeLink('ana'),
        await accounts.makeLink('ben'),
        await accounts.makeLink('ana'),
      ]
      expect(await accounts.useLink(first)).toBeNull()
      expect(await accounts.useLink(others)).toBe('ben')
      expect(await accounts.useLink(second)).toBe('ana')
    })

    it('[S11] of two handles that use one link at once exactly one gets in', async () => {
      const { store, again } = current()
      const other = await again()
      const token = await store.accounts.makeLink('ana')
      const used = await Promise.all([store.accounts.useLink(token), other.accounts.useLink(token)])
      expect(used.filter((person) => person === 'ana').length).toBe(1)
    })

    it('[R520] from where a session was begun is known while it is open, and for 90 days after its end', async () => {
      const { store, clock } = current()
      const { accounts } = store
      const createdAt = clock.now
      const begun = { agent: 'Firefox', address: '2001:db8::1' }
      const token = await accounts.startSession('ana', { ...begun, expiresAt: clock.now + DAY_MS })
      const bare = await accounts.startSession('ben', { expiresAt: clock.now + DAY_MS })
      const [id, other] = [(await accounts.session(token))?.id ?? '', (await accounts.session(bare))?.id ?? '']
      expect(await accounts.originsOf([id, 'nobody', id])).toEqual([{ id, person: 'ana', ...begun, createdAt }])
      expect(await accounts.originsOf([other])).toEqual([{ id: other, person: 'ben', createdAt }])
      clock.now += MINUTE_MS
      await accounts.endSession(token)
      const endedAt = clock.now
      expect(await accounts.originsOf([id])).toEqual([{ id, person: 'ana', ...begun, createdAt, endedAt }])
      expect(await accounts.endedOf('ana')).toEqual(await accounts.originsOf([id]))
      expect(await accounts.endedOf('ben')).toEqual([])
      clock.now = endedAt + 90 * DAY_MS - 1
      await accounts.sweep(clock.now)
      expect(await accounts.originsOf([id])).toHaveLength(1)
      clock.now += 1
      await accounts.sweep(clock.now)
      expect(await accounts.originsOf([id])).toEqual([])
    })

    it('[R520] a session that is over never signs in again, and is in no list, however it ended', async () => {
      const { store, clock } = current()
      const { accounts } = store
      const start = (expiresAt: number) => accounts.startSession('ana', { address: '192.0.2.7', expiresAt })
      const [signedOut, idle, expired] = [
        await start(clock.now + 30 * DAY_MS),
        await start(clock.now + 30 * DAY_MS),
        await start(clock.now + DAY_MS),
      ]
      const began = clock.now
      const ids: string[] = []
      for (const token of [signedOut, idle, expired]) ids.push((await accounts.session(token))?.id ?? '')
      await accounts.endSession(ids[0] ?? '')
      clock.now += 8 * DAY_MS
      await accounts.sweep(clock.now)
      for (const one of [signedOut, idle, expired, ...ids]) expect(await accounts.session(one)).toBeNull()
      expect(await accounts.sessionsOf('ana')).toEqual([])
      const ends = (await accounts.originsOf(ids)).map(({ endedAt }) => endedAt)
      expect(ends).toEqual([began, began + 7 * DAY_MS, began + DAY_MS])
      // One that is over before a sweep came is as good as gone.
      const [late, unused] = [await start(clock.now + MINUTE_MS), await start(clock.now + 30 * DAY_MS)]
      clock.now += MINUTE_MS
      expect(await accounts.session(late)).toBeNull()
      clock.now += 7 * DAY_MS
      expect(await accounts.session(unused)).toBeNull()
    })

    it('[R520] what a browser calls itself, and an address, are kept as far as they are sensible', async () => {
      const { accounts } = current().store
      const text = `${'x'.repeat(200)}\0${'y'.repeat(300)}`
      const token = await accounts.startSession('ana', { agent: text, address: text, expiresAt: 9e15 })
      const [origin] = await accounts.originsOf([(await accounts.session(token))?.id ?? ''])
      expect([origin?.agent, origin?.address]).toEqual([`${'x'.repeat(200)} ${'y'.repeat(99)}`, 'x'.repeat(100)])
    })

    it('[R780] a personal access token is a session with a name and scopes, which ends when it expires, used or not', async () => {
      const { store, clock } = current()
      const { accounts } = store
      const token = { name: 'Nightly report', scopes: ['read', 'ask'] }
      const [createdAt, expiresAt] = [clock.now, clock.now + 90 * DAY_MS]
      const secret = await accounts.startSession('ana', { token, expiresAt })
      const bare = await accounts.startSession('ana', {
        token: { name: 'None', scopes: [] },
        expiresAt: clock.now + DAY_MS,
      })
      const [listed] = (await accounts.sessionsOf('ana')).filter((one) => one.token?.name === token.name)
      expect(listed).toEqual({ id: listed?.id, person: 'ana', token, createdAt, lastSeen: createdAt, expiresAt })
      expect((await accounts.session(bare))?.token).toEqual({ name: 'None', scopes: [] })
      clock.now += 1_000
      expect((await accounts.session(secret))?.lastSeen).toBe(clock.now)
      clock.now += 30 * DAY_MS
      await accounts.sweep(clock.now)
      expect((await accounts.session(secret))?.token).toEqual(token)
      expect(await accounts.originsOf([listed?.id ?? ''])).toEqual([
        { id: listed?.id, person: 'ana', token: token.name, createdAt },
      ])
      clock.now = expiresAt - 1
      expect(await accounts.session(secret)).not.toBeNull()
      clock.now = expiresAt
      expect(await accounts.session(secret)).toBeNull()
      await accounts.sweep(clock.now)
      expect((await accounts.endedOf('ana')).map(({ token, endedAt }) => [token, endedAt])).toContainEqual([
        token.name,
        expiresAt,
      ])
    })

    it('sweeps what is over and nothing else', async () => {
      const { store, clock } = current()
      const { accounts } = store
      const kept = await accounts.startSession('ana', { expiresAt: clock.now + 60 * MINUTE_MS })
      await accounts.startSession('ana', { expiresAt: clock.now + MINUTE_MS })
      await accounts.makeLink('ben')
      clock.now += 30 * MINUTE_MS
      expect(await accounts.sweep(clock.now)).toBe(2)
      expect(await accounts.sweep(clock.now)).toBe(0)
      expect(await accounts.session(kept)).not.toBeNull()
    })
  })
}
