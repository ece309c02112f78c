/** Models around a model: what it says of itself is that of the moment, behind each of them. */
import { tmpdir } from 'node:os'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { addModels } from '../metrics/models'
import { Endpoint, queuedAt } from './endpoints'
import { calledBy, type Model } from './model'
import { recorded } from './recording'

it.each<[name: string, around: (model: Model) => Model]>([
  ['a queue', (model) => queuedAt(model, new Endpoint(() => 1))],
  ['a recording', (model) => recorded(model, tmpdir())],
  [
    'counters',
    (model) =>
      addModels(new Registry())
        .watch({ get: () => model })
        .get('m'),
  ],
  ['another way to call it', (model) => calledBy(model, model.call)],
])('[R661] a model behind %s takes functions and tokens as long as its server does', (_, around) => {
  let takes = true
  let contextTokens = 32_000
  const noted: string[] = []
  const model = around({
    name: 'm',
    provider: 'test',
    accepts: ['image'],
    get contextTokens() {
      return contextTokens
    },
    get takesFunctions() {
      return takes
    },
    answeredBy: (what) => void noted.push(what),
    async *call() {},
  })
  expect([model.takesFunctions, model.contextTokens, model.accepts]).toEqual([true, 32_000, ['image']])
  takes = false
  contextTokens = 8_000
  expect([model.takesFunctions, model.contextTokens]).toEqual([false, 8_000])
  model.answeredBy?.('tags')
  expect(noted).toEqual(['tags'])
})
