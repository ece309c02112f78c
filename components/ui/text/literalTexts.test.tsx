/** Paths, addresses, commands and arguments: a blank that only looks like a space is a code in them (client/jsx/shownProps.ts). */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, it } from 'vitest'
import { Mono } from '@/components/directory/cells'
import { Breadcrumb } from '@/components/files/Breadcrumb'
import { ArgumentsView } from '@/components/request/bodies/ArgumentsView'
import en from '@/messages/en.json'
import { RowLink } from '../Table'
import { LongText } from './LongText'
import { Scrolled } from './Scrolled'

const plain = (node: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      {node}
    </IntlProvider>,
  ).replace(/<[^>]*>/g, '')

it('[R387] paths and arguments are read to the letter wherever they stand', () => {
  const path = 'prices\u00a0new/re\u2003port.md'
  for (const node of [
    <LongText key="1" isLiteral text={JSON.stringify(path)} />,
    <Breadcrumb key="2" to={path} />,
    <Mono key="3">{path}</Mono>,
    <ArgumentsView key="4" given={{ json: { path, 'na\u00a0me': [path] }, text: '' }} />,
    <RowLink key="5" data-literal href="/">
      {path}
    </RowLink>,
    // With a hidden character the text is no longer a string where the inner element is drawn.
    <Scrolled key="6" as="pre" className="">
      {`${path}\u200b`}
    </Scrolled>,
  ])
    expect(plain(node)).not.toMatch(/[\u00a0\u2003]/)
  expect(plain(<LongText text={'10\u202f000 €'} />)).toBe('10\u202f000 €')
})
